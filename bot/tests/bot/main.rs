//! The program against a server that plays the site, kindly and unkindly.

mod games;
#[path = "../../../tests/support/mailbox.rs"]
#[allow(dead_code, reason = "other tests need more of it")]
mod mailbox;
mod manners;
mod program;
mod server;
