/**
 * Bluesky over its public API (I-16): which action is which call, in a session of its own. A configured address is that of the server that the owner's
 * account is on. Must not do more than one write for a call. Called through integrations/tools/port.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { notifications, search, thread, timeline } from './look.ts'
import { BLUESKY_MANIFEST, HOST } from './manifest.ts'
import { openSession, type Session } from './session.ts'
import { createPost, reply } from './write.ts'

const ACTIONS: ReadonlyMap<string, (session: Session, call: ToolCall) => Promise<ToolOutcome>> = new Map([
  ['bluesky.timeline', timeline],
  ['bluesky.notifications', notifications],
  ['bluesky.search', search],
  ['bluesky.thread', thread],
  ['bluesky.create_post', createPost],
  ['bluesky.reply', reply],
])

export function createBlueskyTool({ baseUrl }: { readonly baseUrl?: string } = {}): Tool {
  const base = baseUrl ?? `https://${HOST}`
  return {
    manifest: { ...BLUESKY_MANIFEST, network: [new URL(base).host] },
    // Signing in is the test: it says whose account it is.
    check: async (call): Promise<Result<string | null>> => {
      const session = await openSession(base, call)
      return session.ok ? ok(session.value.handle) : session
    },
    execute: async (call) => {
      const action = ACTIONS.get(call.action)
      if (action === undefined) return err('tool_unknown')
      const session = await openSession(base, call)
      return session.ok ? action(session.value, call) : session
    },
  }
}
