/** Fireflies over its GraphQL API (I-18): maps actions to queries. Must not write. Called through integrations/tools/port.ts. */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Tool } from '../../../kernel/tool/manifest.ts'
import { isAddress, recordOf, stringOf } from '../reading.ts'
import { ask, QUESTIONS } from './api.ts'
import { getTranscript, listMeetings } from './look.ts'
import { FIREFLIES_MANIFEST, HOST } from './manifest.ts'

const ACTIONS = new Map([
  ['fireflies.list', listMeetings],
  ['fireflies.get_transcript', getTranscript],
])

export function createFirefliesTool({ baseUrl }: { readonly baseUrl?: string } = {}): Tool {
  const base = baseUrl ?? `https://${HOST}`
  return {
    manifest: { ...FIREFLIES_MANIFEST, network: [new URL(base).host] },
    check: async (call): Promise<Result<string | null>> => {
      const data = await ask({ base, call }, QUESTIONS.me)
      if (!data.ok) return data
      const email = stringOf(recordOf(data.value, 'user'), 'email')
      return ok(isAddress(email) ? email : null)
    },
    execute: async (call) =>
      (await ACTIONS.get(call.action)?.({ base, call }, call.args)) ?? err('tool_unknown'),
  }
}
