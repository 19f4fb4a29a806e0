use super::*;

fn error(text: &str) -> String {
    toml::from_str::<Config>(text).expect_err("it is wrong").to_string()
}

#[test]
fn the_example_holds_the_defaults_and_every_key() {
    let example: Config = toml::from_str(EXAMPLE).expect("the example is right");
    assert_eq!(format!("{example:?}"), format!("{:?}", Config::default()));
    // Keys without a default are there as comments.
    let all: String = EXAMPLE
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|key| key.contains(" = ")).unwrap_or(line))
        .fold(String::new(), |text, line| text + line + "\n");
    let full: Config = toml::from_str(&all).expect("the comments are right too");
    assert!(full.strength.elo.is_some() && full.strength.level.is_some() && full.strength.depth.is_some());
    assert!(full.token_file.is_some() && full.strength.nodes.is_some() && full.strength.time.is_some());
}

#[test]
fn errors_name_the_line_and_the_key() {
    let unknown = error("[challenges]\nrated = true\nvariant = \"chess\"\n");
    assert!(unknown.contains("line 3") && unknown.contains("`variant`"), "{unknown}");
    let token = error("token = \"secret\"\n");
    assert!(token.contains("line 1") && token.contains("token_file"), "{token}");
    let variant = error("[challenges]\nvariants = [\"chess\"]\n");
    assert!(variant.contains("line 2") && variant.contains("antiflipello"), "{variant}");
    let elo = error("[strength]\nelo = 400\n");
    assert!(elo.contains("line 2") && elo.contains("elo") && elo.contains("800"), "{elo}");
    let seconds = error("[network]\n\ntimeout = -1.0\n");
    assert!(seconds.contains("line 3") && seconds.contains("timeout"), "{seconds}");
    let chat = error(&format!("[chat]\ngreeting = \"{}\"\n", "x".repeat(141)));
    assert!(chat.contains("line 2") && chat.contains("141"), "{chat}");
}

/// A pause of none asks the site again and again without end.
#[test]
fn only_the_reserve_may_be_nothing() {
    let network = |key: &str, value: &str| toml::from_str::<Config>(&format!("[network]\n{key} = {value}\n"));
    assert!(network("reserve", "0").is_ok());
    for key in [
        "timeout",
        "silence",
        "first_pause",
        "longest_pause",
        "rate_limit_pause",
        "confirm",
        "refresh",
        "renew",
    ] {
        for value in ["0", "0.0", "1e-12", "-1", "nan", "1e9"] {
            let error = network(key, value).expect_err("no time").to_string();
            assert!(error.contains("line 2") && error.contains("above 0"), "{error}");
        }
        assert!(network(key, "0.01").is_ok());
    }
}

#[test]
fn whole_numbers_are_seconds_too() {
    let config: Config = toml::from_str("[network]\ntimeout = 3\nreserve = 0.25\n").expect("right");
    assert_eq!(Duration::from(config.network.timeout), Duration::from_secs(3));
    assert_eq!(Duration::from(config.network.reserve), Duration::from_millis(250));
}

#[test]
fn a_token_travels_encrypted_or_not_at_all() {
    let site = |url: &str| Config { url: url.to_owned(), ..Config::default() }.site().map(str::to_owned);
    assert_eq!(site("https://playstrategy.org/").expect("encrypted"), "https://playstrategy.org");
    assert!(site("http://127.0.0.1:9663").is_ok() && site("http://localhost/").is_ok());
    for url in [
        "http://playstrategy.org",
        "http://localhost.example.org",
        "ftp://localhost",
        "playstrategy.org",
        // The host comes after the name and password of a user.
        "http://localhost@example.org",
        "http://localhost:x@example.org/",
        "http://127.0.0.1:80@example.org",
        "http://localhost\\@example.org",
        "http://",
    ] {
        assert!(site(url).is_err(), "{url}");
    }
}

#[test]
fn a_greeting_names_the_opponent_and_fits() {
    let text = ChatText::try_from("Hello {opponent}!".to_owned()).expect("short");
    assert_eq!(text.to("Ann").as_deref(), Some("Hello Ann!"));
    assert_eq!(text.to(&"x".repeat(200)).map(|text| text.len()), Some(140));
    assert_eq!(ChatText::default().to("Ann"), None);
}
