//! What is wrong with a model, as data; `cli` draws it.

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The model cannot be verified.
    Error,
    /// The model can be verified, but is probably not what its author meant.
    Warning,
}

/// A kind of diagnostic: its stable name and what `pverify explain` says of it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// The stable name, such as `E0104`; errors begin with `E`, warnings with `W`.
    pub id: &'static str,
    /// One line that names the problem.
    pub title: &'static str,
    /// What it means, why it matters, an example that shows it, and the remedy.
    pub explanation: &'static str,
}

impl Code {
    /// Errors begin with `E`, warnings with `W`.
    pub fn severity(&self) -> Severity {
        if self.id.starts_with('W') { Severity::Warning } else { Severity::Error }
    }
}

/// A remark at a second place that helps to understand the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is to be seen there.
    pub text: String,
}

/// One thing that is wrong: what, where, why, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its kind.
    pub code: &'static Code,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where; every diagnostic has a place.
    pub span: Span,
    /// A few words drawn at that place; the title of the code where empty.
    pub here: String,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic without labels or help.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            span,
            here: String::new(),
            labels: Vec::new(),
            help: None,
        }
    }

    /// With a few words drawn at the place itself.
    #[must_use]
    pub fn here(mut self, text: impl Into<String>) -> Self {
        self.here = text.into();
        self
    }

    /// With a remark at another place.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// With the remedy.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Whether it stops the model from being verified.
    pub fn is_error(&self) -> bool {
        self.code.severity() == Severity::Error
    }
}
