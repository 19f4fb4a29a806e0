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
    let mut names = pages_below(&printed(&["manual"]), "ollehto");
    assert!(names.iter().any(|name| name == "solve") && !names.iter().any(|name| name == "kill-engines"));
    for at in 0.. {
        let Some(name) = names.get(at).cloned() else { break };
        names.extend(pages_below(&printed(&["manual", &name]), &format!("ollehto-{name}")));
    }
    assert!(names.iter().any(|name| name == "lab-judge-make"), "{names:?}");
    assert_eq!(printed(&["manual", "lab", "judge"]), printed(&["manual", "lab-judge"]));
}

/// The pages that a page lists below its title.
#[track_caller]
fn pages_below(page: &str, title: &str) -> Vec<String> {
    let page = page.replace("\\-", "-");
    assert!(page.contains(&format!(".TH {title} 1")), "{page}");
    let names = page.lines().filter_map(|line| line.strip_prefix("ollehto-")?.strip_suffix("(1)"));
    names.filter(|name| !name.ends_with("help")).map(str::to_owned).collect()
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
