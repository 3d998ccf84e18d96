//! [`Server`]: what the browser may ask.
//!
//! ```text
//! GET  /?token=T              the page
//! GET  /file/N?token=T        the Nth file of the command line
//! GET  /watch?token=T         the watched program, whenever it changes: server-sent events
//! POST /answer?token=T        messages as the page's workers have them, answered by this command
//! ```
//!
//! Anything with another token, or from another site, is refused.

use std::convert::Infallible;
use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path as FilePath, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use attila_web::Session;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::{Stream, stream};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::Program;
use super::page::Page;
use crate::error::CliError;

/// The most bytes of a file.
pub(super) const MOST_BYTES: u64 = 64 << 20;

/// The most bytes of a question.
const MOST_ASKED: usize = 8 << 20;

/// How long nobody looks at the watched file.
const PAUSE: Duration = Duration::from_millis(100);

/// Pictures that are drawn at the same time: each keeps a processor busy.
const AT_ONCE: usize = 2;

/// The page, the program and the files that a browser gets.
pub(super) struct Server {
    page: Page,
    program: Option<Program>,
    files: Vec<(String, Vec<u8>)>,
    watched: Option<PathBuf>,
    token: String,
    port: u16,
    drawing: Semaphore,
}

/// The server's offer to the page.
#[derive(Serialize)]
struct Offer<'a> {
    token: &'a str,
    files: Vec<&'a str>,
    watches: bool,
}

#[derive(Deserialize)]
struct Token {
    #[serde(default)]
    token: String,
}

type Shared = State<Arc<Server>>;

impl Server {
    pub(super) fn new(
        page: Page,
        program: Option<Program>,
        files: Vec<(String, Vec<u8>)>,
        watched: Option<PathBuf>,
    ) -> Server {
        Server {
            page,
            program,
            files,
            watched,
            token: String::new(),
            port: 0,
            drawing: Semaphore::new(AT_ONCE),
        }
    }

    /// Serves for ever. `begun` hears the address.
    pub(super) fn run(
        mut self,
        port: Option<u16>,
        begun: impl FnOnce(&str) -> io::Result<()>,
    ) -> Result<ExitCode, CliError> {
        let failed = |source| CliError::Serve { source };
        self.token = random().map_err(failed)?;
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_all().build().map_err(failed)?;
        let served: io::Result<()> = runtime.block_on(async {
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port.unwrap_or(0)));
            let listener = TcpListener::bind(address).await?;
            self.port = listener.local_addr()?.port();
            begun(&format!(
                "http://127.0.0.1:{}/?token={}",
                self.port, self.token
            ))?;
            axum::serve(listener, routes(Arc::new(self))).await
        });
        served.map_err(failed)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Whether a request comes from the page, or somebody who has its address.
    fn admits(&self, headers: &HeaderMap, token: &str) -> bool {
        let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{}", self.port));
        let text = |name| {
            headers
                .get(name)
                .and_then(|it: &HeaderValue| it.to_str().ok())
        };
        let is_here = |host: &str| hosts.iter().any(|it| it == host);
        let host = text(header::HOST).is_some_and(is_here);
        let origin = headers.contains_key(header::ORIGIN);
        let own = text(header::ORIGIN).and_then(|it| it.strip_prefix("http://"));
        host && (!origin || own.is_some_and(is_here)) && token == self.token
    }
}

/// Bits that nobody can guess, in hexadecimal.
fn random() -> io::Result<String> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn routes(server: Arc<Server>) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/file/{number}", get(file))
        .route("/watch", get(watch))
        .route("/answer", post(answer))
        .layer(DefaultBodyLimit::max(MOST_ASKED))
        .layer(middleware::from_fn_with_state(Arc::clone(&server), guard))
        .with_state(server)
}

/// Refuses what does not come from the page.
async fn guard(
    State(server): Shared,
    Query(Token { token }): Query<Token>,
    request: Request,
    next: Next,
) -> Response {
    match server.admits(request.headers(), &token) {
        true => next.run(request).await,
        false => {
            let message =
                "the address that `attila play` printed opens the page, on this machine\n";
            (StatusCode::FORBIDDEN, message).into_response()
        }
    }
}

/// The page. Its scripts may compile WebAssembly, and ask nobody but this server.
async fn page(State(server): Shared) -> Result<Response, Refused> {
    let nonce =
        random().map_err(|error| Refused(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}' 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; \
         img-src data: blob:; media-src blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let offer = Offer {
        token: &server.token,
        files: server.files.iter().map(|(name, _)| name.as_str()).collect(),
        watches: server.watched.is_some(),
    };
    let current = server.watched.as_deref().and_then(read);
    let program = current.as_ref().or(server.program.as_ref());
    let html = Html(server.page.served(program, &offer, &nonce));
    let headers = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
    ];
    Ok((headers, html).into_response())
}

/// A file of the command line.
async fn file(State(server): Shared, Path(number): Path<usize>) -> Result<Vec<u8>, Refused> {
    let file = server.files.get(number);
    let (_, bytes) =
        file.ok_or_else(|| Refused(StatusCode::NOT_FOUND, format!("there is no file {number}")))?;
    Ok(bytes.clone())
}

/// The watched program, as it is now.
fn read(path: &FilePath) -> Option<Program> {
    Some(Program::of(path, fs::read_to_string(path).ok()?))
}

/// When it changed last, and its length, as clocks of files may be coarse.
fn changed(path: &FilePath) -> Option<(SystemTime, u64)> {
    let found = fs::metadata(path).ok()?;
    Some((found.modified().ok()?, found.len()))
}

/// Tells of the watched program whenever it has changed.
async fn watch(
    State(server): Shared,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refused> {
    let path = server.watched.clone();
    let path =
        path.ok_or_else(|| Refused(StatusCode::NOT_FOUND, "nothing is watched".to_owned()))?;
    let seen = changed(&path);
    let events = stream::unfold((path, seen), async |(path, mut seen)| {
        loop {
            tokio::time::sleep(PAUSE).await;
            let now = changed(&path);
            if now == seen {
                continue;
            }
            seen = now;
            // While an editor writes it, it may not be there.
            let json = read(&path).and_then(|program| serde_json::to_string(&program).ok());
            if let Some(json) = json {
                return Some((Ok(Event::default().data(json)), (path, seen)));
            }
        }
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

/// Answers messages of the page's workers, one after the other, and returns the last answer.
async fn answer(State(server): Shared, body: Bytes) -> Result<Vec<u8>, Refused> {
    let wrong = |error: &dyn ToString| Refused(StatusCode::BAD_REQUEST, error.to_string());
    let messages: Vec<Box<RawValue>> = serde_json::from_slice(&body).map_err(|it| wrong(&it))?;
    let _turn = server.drawing.acquire().await.map_err(|it| wrong(&it))?;
    let for_it = Arc::clone(&server);
    let answered = tokio::task::spawn_blocking(move || {
        let mut session = Session::new();
        for (name, bytes) in &for_it.files {
            let named = serde_json::json!({ "file": { "name": name } }).to_string();
            session.answer(named.as_bytes(), bytes);
        }
        let answers = messages.iter();
        let answers = answers.map(|it| session.answer(it.get().as_bytes(), &[]));
        answers.last().unwrap_or_default().to_bytes()
    });
    answered
        .await
        .map_err(|error| Refused(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

/// Why a request is not answered.
struct Refused(StatusCode, String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0, self.1 + "\n").into_response()
    }
}
