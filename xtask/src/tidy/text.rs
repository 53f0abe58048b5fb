//! Rules about any text: length, whitespace, the end of the file.

use super::Finding;
use super::files::SourceFile;

/// A file of Rust has no more lines, or a second subject.
const LONGEST_FILE: usize = 500;

/// Every rule about text.
pub(crate) fn check(file: &SourceFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    let SourceFile { path, text } = file;
    let lines = text.lines().count();
    if path.ends_with(".rs") && lines > LONGEST_FILE {
        let problem = format!("{lines} lines, more than {LONGEST_FILE}: look for a second subject");
        findings.push(Finding::new(path, 0, problem));
    }
    if text.is_empty() {
        findings.push(Finding::new(path, 0, "the file is empty: delete it"));
    } else if !text.ends_with('\n') {
        findings.push(Finding::new(path, lines, "no newline at the end of the file"));
    } else if text.ends_with("\n\n") {
        findings.push(Finding::new(path, lines, "empty lines at the end of the file"));
    }
    for (at, line) in text.split('\n').enumerate() {
        if line.ends_with(char::is_whitespace) {
            findings.push(Finding::new(path, at + 1, "whitespace at the end of the line"));
        }
        if line.contains('\t') {
            findings.push(Finding::new(path, at + 1, "a tab: use spaces"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::files::file;
    use super::*;

    fn check_text(path: &str, text: &str, expected: &[(usize, &str)]) {
        let found: Vec<_> = check(&file(path, text))
            .into_iter()
            .map(|finding| (finding.line, finding.text))
            .collect();
        let expected: Vec<_> =
            expected.iter().map(|&(line, text)| (line, text.to_owned())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn good_text_passes() {
        check_text("a.md", "one\n\ntwo\n", &[]);
    }

    #[test]
    fn whitespace_is_found() {
        check_text("a.md", "one \ntwo\n", &[(1, "whitespace at the end of the line")]);
        check_text("a.rs", "\tone\n", &[(1, "a tab: use spaces")]);
        check_text("a.rs", "a\r\n", &[(1, "whitespace at the end of the line")]);
    }

    #[test]
    fn the_end_of_the_file_is_checked() {
        check_text("a.md", "one", &[(1, "no newline at the end of the file")]);
        check_text("a.md", "one\n\n", &[(2, "empty lines at the end of the file")]);
        check_text("a.md", "", &[(0, "the file is empty: delete it")]);
    }

    #[test]
    fn long_files_are_found() {
        let long = "x\n".repeat(501);
        check_text("a.rs", &long, &[(0, "501 lines, more than 500: look for a second subject")]);
        check_text("a.rs", &"x\n".repeat(500), &[]);
        check_text("a.md", &long, &[]);
    }
}
