//! Pages of the manual.

use std::io::{self, Write};

use clap::Command;
use clap_mangen::Man;

/// Prints the page of the program, or of one of its subcommands: given by its words, or as the page is called.
pub(super) fn print(mut program: Command, words: &[String], output: &mut dyn Write) -> io::Result<()> {
    // Only a built command knows the names of its subcommands as they are called.
    program.build();
    if words.is_empty() {
        return Man::new(program).render(output);
    }
    let page = format!("{}-{}", program.get_name(), words.join("-"));
    let found = below(&program, &page).ok_or_else(|| {
        let message = format!("there is no subcommand '{}': 'ollehto --help' lists them", words.join(" "));
        io::Error::new(io::ErrorKind::InvalidInput, message)
    })?;
    Man::new(found.clone()).title(page).render(output)
}

/// The subcommand, at any depth, whose page has this name.
fn below<'a>(command: &'a Command, page: &str) -> Option<&'a Command> {
    let mut subcommands = command.get_subcommands();
    subcommands.find_map(|found| {
        if found.get_display_name() == Some(page) { Some(found) } else { below(found, page) }
    })
}
