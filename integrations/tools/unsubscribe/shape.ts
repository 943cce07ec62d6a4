/** Meaning of a list server's answer: accepted, refused, or unknown. Ignores its text. Pure. Called by run.ts. */
import { err } from '../../../kernel/flow/verdict.ts'
import type { HttpResponse, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { checkStatus, UNCLEAR } from '../remote.ts'

export function shapeLeft(host: string, response: HttpResponse): ToolOutcome {
  const status = checkStatus(response)
  if (status.ok) return { ok: true, output: { host } }
  const { code, facts } = status.reason
  if (UNCLEAR.has(code)) return err('write_outcome_unknown', { after: code })
  // The owner has no account there that could be connected again.
  return code === 'remote_unauthorized' ? err('remote_rejected', facts) : status
}
