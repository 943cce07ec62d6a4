/** Who sent the mails of a call, and what about, for its card: the owner judges no ids. Called by run.ts. */
import type { Json } from '../../../kernel/flow/json.ts'
import type { ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { Mailbox } from './mailbox-port.ts'
import { MAX_EMAILS } from './manifest.ts'
import { shapeListed } from './shape.ts'

/** In the order of the ids as far as the mailbox keeps it; of more than a list shows none. */
export async function which(
  mailbox: Mailbox,
  given: Json | undefined,
  own: readonly string[] = [],
): Promise<ToolOutcome> {
  const ids = Array.isArray(given) ? given.map(String) : []
  if (ids.length === 0 || ids.length > MAX_EMAILS) return { ok: true, output: { mails: [] } }
  const found = await mailbox.find({ ids, count: ids.length })
  if (!found.ok) return found
  const mails: object[] = []
  for (const message of found.value.messages) {
    const shaped = shapeListed(message, { own })
    if (!shaped.ok) return shaped
    const { fromName, from, to, subject, date } = shaped.value
    mails.push({ fromName, ...(from !== undefined && { from }), ...(to !== undefined && { to }), subject, date })
  }
  return { ok: true, output: { mails } }
}
