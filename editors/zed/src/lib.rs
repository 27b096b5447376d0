//! Starts `weft lsp` for Zed.

use zed_extension_api::{self as zed, serde_json, settings::LspSettings, LanguageServerId, Result, Worktree};

struct Weft;

impl zed::Extension for Weft {
    fn new() -> Self {
        Weft
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<zed::Command> {
        let set = LspSettings::for_worktree("weft", worktree)
            .ok()
            .and_then(|s| s.binary)
            .and_then(|b| b.path);
        let command = set
            .or_else(|| worktree.which("weft"))
            .ok_or("weft is not on the PATH; install it, or set lsp.weft.binary.path")?;
        Ok(zed::Command { command, args: vec!["lsp".into()], env: worktree.shell_env() })
    }

    fn language_server_workspace_configuration(
        &mut self,
        _: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        let settings = LspSettings::for_worktree("weft", worktree).ok().and_then(|s| s.settings);
        Ok(Some(serde_json::json!({ "weft": settings.unwrap_or_default() })))
    }
}

zed::register_extension!(Weft);
