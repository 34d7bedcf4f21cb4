//! Serves the page of `cargo wb watch --page` to the user of this machine.
//!
//! It listens on the loopback device only. Who does not know the token of the address is refused, and a request that names another host: a
//! page of another site, whose name was made to lead here, cannot read anything.

use std::{
    fs::File,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use tiny_http::{Header, Method, Request, Response, ResponseBox, Server};
use wb_messages::Lang;

use super::page::{self, PageState};
use crate::{
    error::{CliError, Result},
    top,
};

/// The page loads nothing from elsewhere, and nothing else shows it in a frame or learns its address.
const HEADERS: [&str; 5] = [
    "Content-Type: text/html; charset=utf-8",
    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; \
     img-src data: blob:; frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy: no-referrer",
    "X-Content-Type-Options: nosniff",
    "Cache-Control: no-store",
];

/// The file that `cargo wb trace` writes.
const TRACE: &str = "trace.html";

/// What is served.
pub(super) struct PageServer {
    pub(super) state: Arc<Mutex<PageState>>,
    /// The folder of the trace.
    pub(super) root: PathBuf,
    /// The target folder with the running jobs.
    pub(super) target: PathBuf,
    pub(super) lang: Lang,
}

impl PageServer {
    /// Starts the server on a free port; the address with its token.
    pub(super) fn start(self) -> Result<String> {
        let failed = CliError::system("run", "cargo wb watch --page");
        let (server, token) = match (
            Server::http("127.0.0.1:0"),
            getrandom::u64().and_then(|one| Ok((one, getrandom::u64()?))),
        ) {
            (Ok(server), Ok((one, other))) => (server, format!("{one:016x}{other:016x}")),
            (Err(error), _) => return Err(failed(std::io::Error::other(error))),
            (_, Err(error)) => return Err(failed(std::io::Error::other(error))),
        };
        let host = server.server_addr().to_string();
        let address = format!("http://{host}/{token}/");
        thread::spawn(move || {
            for request in server.incoming_requests() {
                let answer = self.answer(&request, &host, &token);
                // The reader may be gone.
                let _gone = request.respond(answer);
            }
        });
        Ok(address)
    }

    fn answer(&self, request: &Request, host: &str, token: &str) -> ResponseBox {
        let named = request.headers().iter().find(|header| header.field.equiv("Host"));
        let path = request.url().strip_prefix('/').and_then(|path| path.strip_prefix(token));
        let trace = self.root.join(TRACE);
        match (path, request.method()) {
            _ if named.is_none_or(|header| header.value.as_str() != host) => refused(403),
            (None, _) => refused(403),
            (_, method) if *method != Method::Get => refused(405),
            (Some("/"), _) => {
                let state = self.state.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let jobs = top::tables(&self.target, self.lang);
                with_headers(
                    Response::from_string(page::page(&state, &jobs, trace.is_file(), self.lang)).boxed(),
                )
            }
            (Some("/trace.html"), _) => match File::open(trace) {
                Ok(file) => with_headers(Response::from_file(file).boxed()),
                Err(_) => refused(404),
            },
            _ => refused(404),
        }
    }
}

fn refused(code: u16) -> ResponseBox {
    with_headers(Response::from_string("").with_status_code(code).boxed())
}

fn with_headers(mut answer: ResponseBox) -> ResponseBox {
    let headers = HEADERS.iter().map(|header| header.parse::<Header>().expect("a header"));
    headers.for_each(|header| answer.add_header(header));
    answer
}
