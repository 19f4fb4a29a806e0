//! Pages of the manual.

use std::io::{self, Write};

use clap::Command;
use clap_mangen::Man;

/// Prints the page of the program, or of one of its subcommands.
pub(super) fn print(
    mut program: Command,
    subcommand: Option<&str>,
    output: &mut dyn Write,
) -> io::Result<()> {
    // Only a built command knows the names of its subcommands as they are called.
    program.build();
    let Some(name) = subcommand else { return Man::new(program).render(output) };
    let found = program.get_subcommands().find(|command| command.get_name() == name).cloned();
    let found = found.ok_or_else(|| {
        let message = format!("there is no subcommand '{name}': 'ollehto --help' lists them");
        io::Error::new(io::ErrorKind::InvalidInput, message)
    })?;
    // With the program's name, as the page of a subcommand is called.
    let page = found.get_display_name().unwrap_or(name).to_owned();
    Man::new(found).title(page).render(output)
}
