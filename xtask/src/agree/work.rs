//! Many questions at a time: each worker has a directory of its own, emptied between questions.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Applies `job` to every item on `threads` threads; the answers come in the items' order.
///
/// SPIN writes `pan.*` and temporary files into the current directory, under fixed names, so
/// that two of them never work in the same one.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    job: impl Fn(&Path, &T) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(Vec::with_capacity(items.len()));
    let worker = || -> anyhow::Result<()> {
        let directory = tempfile::tempdir()?;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return Ok(()) };
            clear(directory.path())?;
            let answer = job(directory.path(), item)?;
            if let Ok(mut answers) = answers.lock() {
                answers.push((index, answer));
                if answers.len() % 100 == 0 {
                    eprintln!("  {} of {}", answers.len(), items.len());
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(worker)).collect();
        for worker in workers {
            worker.join().map_err(|_| anyhow::anyhow!("a worker panicked"))??;
        }
        anyhow::Ok(())
    })?;
    let mut answers = answers.into_inner().map_err(|_| anyhow::anyhow!("a worker panicked"))?;
    answers.sort_by_key(|(index, _)| *index);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}

fn clear(directory: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            std::fs::remove_dir_all(entry.path())?;
        } else {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_keep_the_order_and_directories_start_empty() {
        let items: Vec<usize> = (0..50).collect();
        let answers = in_parallel(&items, 3, |directory, item| {
            let left_over = std::fs::read_dir(directory)?.count();
            std::fs::write(directory.join("pan.c"), "x")?;
            Ok(item * 2 + left_over)
        });
        let expected: Vec<usize> = items.iter().map(|item| item * 2).collect();
        assert_eq!(answers.expect("no job fails"), expected);
    }
}
