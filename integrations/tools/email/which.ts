/**
 * Senders and subjects of the mails of a call, for its card, because ids mean nothing to the owner; and whether the named folder
 * exists. Called by run.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { folderNamed } from './folder-name.ts'
import { unquoted } from './folders.ts'
import type { Mailbox } from './mailbox-port.ts'
import { MAX_EMAILS } from './manifest.ts'
import { shapeListed } from './shape.ts'

/** Refusals: mail_folder_missing and mail_folder_ambiguous, so that the owner is not asked for the impossible. */
export async function whichInto(
  mailbox: Mailbox,
  { ids, folder }: ToolCall['args'],
  own: readonly string[],
): Promise<ToolOutcome> {
  if (typeof folder === 'string') {
    const there = await isThere(mailbox, unquoted(folder))
    if (!there.ok) return there
  }
  return which(mailbox, ids, own)
}

/** A failed look-up is ignored: the call itself will be refused. */
async function isThere(mailbox: Mailbox, named: string): Promise<Result<null>> {
  const found = await mailbox.folders()
  if (!found.ok) return ok(null)
  const at = folderNamed(
    named,
    found.value.map(({ name, use }) => ({ path: name, delimiter: '/', use })),
  )
  if (at === 'several') return err('mail_folder_ambiguous')
  return at === 'none' ? err('mail_folder_missing', { folder: 'named' }) : ok(null)
}

/** In the order of the ids as far as the mailbox keeps it; empty if there are more than a list shows. */
async function which(
  mailbox: Mailbox,
  given: Json | undefined,
  own: readonly string[],
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
    mails.push({
      fromName,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      subject,
      date,
    })
  }
  return { ok: true, output: { mails } }
}
