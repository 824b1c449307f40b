import { claudeCode } from './claude-code.ts'
import { claudeDesktop } from './claude-desktop.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import { gemini } from './gemini.ts'
import type { AgentHost, HostHooks } from './host.ts'
import { opencode } from './opencode.ts'
import { vscode } from './vscode.ts'
import { windsurf } from './windsurf.ts'

export const AGENT_HOSTS: readonly AgentHost[] = [
  claudeDesktop,
  claudeCode,
  cursor,
  vscode,
  codex,
  gemini,
  opencode,
  windsurf,
]

/** A host that supports hooks. */
export type HookHost = AgentHost & { readonly hooks: HostHooks }

export const HOOK_HOSTS: readonly HookHost[] = AGENT_HOSTS.filter(isHookHost)

export function isHookHost(host: AgentHost): host is HookHost {
  return host.hooks !== undefined
}
