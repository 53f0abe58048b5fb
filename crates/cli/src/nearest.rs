//! «Did you mean …?»: the word nearest to one that is not known.

/// The candidate with the fewest letters to change, if few enough; the first of equals.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let allowed = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|&(distance, _)| distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Longer words are not compared: the effort grows with the product of the lengths.
const LONGEST: usize = 100;

/// Levenshtein's distance, without regard to case.
fn distance(left: &str, right: &str) -> usize {
    let letters = |word: &str| word.to_lowercase().chars().collect::<Vec<_>>();
    let (left, right) = (letters(left), letters(right));
    if left.len().max(right.len()) > LONGEST {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, letter) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, other) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let words = ["simulate", "replay", "graph"];
        assert_eq!(nearest("simualte", words), Some("simulate"));
        assert_eq!(nearest("Graph", words), Some("graph"));
        assert_eq!(nearest("model.pml", words), None);
        assert_eq!(nearest("", words), None);
        assert_eq!(nearest(&"x".repeat(1_000_000), words), None);
    }
}
