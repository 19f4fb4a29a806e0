//! `ollehto manual` and `ollehto completions`.

use crate::support::tournament::Running;

#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let finished = Running::start(arguments).wait();
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    finished.stdout
}

#[test]
fn every_subcommand_of_the_first_page_has_a_page() {
    let first = printed(&["manual"]).replace("\\-", "-");
    assert!(first.contains(".TH ollehto 1"), "{first}");
    let names: Vec<_> = first
        .lines()
        .filter_map(|line| line.strip_prefix("ollehto-")?.strip_suffix("(1)"))
        .filter(|name| *name != "help")
        .collect();
    assert!(names.contains(&"solve") && !names.contains(&"kill-engines"), "{names:?}");
    for name in names {
        let page = printed(&["manual", name]).replace("\\-", "-");
        assert!(page.contains(&format!(".TH ollehto-{name} 1")), "{page}");
    }
}

#[test]
fn an_unknown_subcommand_has_no_page() {
    let finished = Running::start(&["manual", "sovle"]).wait();
    let problem = "ollehto: there is no subcommand 'sovle': 'ollehto --help' lists them\n";
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(1), problem));
}

#[test]
fn shells_complete_options() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(printed(&["completions", shell]).contains("save-every"), "{shell}");
    }
}
