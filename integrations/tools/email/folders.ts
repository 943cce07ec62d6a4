/**
 * The folder actions of a mailbox: lists names, looks up what a new folder would be, and creates it where the card said. Must not
 * take a name from a mail. Called by run.ts.
 */
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { cleanLine } from '../../extractors/page-clean.ts'
import { MOST_FOLDERS } from './actions/folder-actions.ts'
import type { Mailbox, NamedFolder } from './mailbox-port.ts'
import { EMAIL_TEXT } from './manifest.ts'

type Args = ToolCall['args']

/** `email.folders`, `email.new_folder` and `email.make_folder`. Refusals: those of the mailbox. */
export async function runFolders({ action, args }: ToolCall, mailbox: Mailbox): Promise<ToolOutcome> {
  if (action === 'email.folders') return listFolders(mailbox)
  if (action === 'email.new_folder') return lookAtNew(mailbox, args)
  const { place } = args
  const made = await mailbox.makeFolder(nameIn(args), typeof place === 'string' ? place : null)
  return made.ok ? { ok: true, output: { name: made.value.name } } : made
}

async function listFolders(mailbox: Mailbox): Promise<ToolOutcome> {
  const found = await mailbox.folders()
  if (!found.ok) return found
  const folders = found.value.slice(0, MOST_FOLDERS).map(({ name, use, mails, unread }) => ({
    name: shownFolder(name),
    ...(use !== undefined && { use }),
    ...(mails !== undefined && { mails }),
    ...(unread !== undefined && { unread }),
  }))
  return { ok: true, output: { folders, more: found.value.length > folders.length } }
}

async function lookAtNew(mailbox: Mailbox, args: Args): Promise<ToolOutcome> {
  const planned = await mailbox.newFolder(nameIn(args))
  return planned.ok ? { ok: true, output: planned.value } : planned
}

/** A folder by the owner's name for it; the account looks it up. */
export function namedIn({ in: named }: Args): NamedFolder | undefined {
  return typeof named === 'string' && named.trim() !== '' ? { named: unquoted(named) } : undefined
}

/** The name as one clean line for an answer. */
export function shownFolder(name: string): string {
  return cleanLine(name, EMAIL_TEXT.folder)
}

function nameIn(args: Args): string {
  return unquoted(String(args['folder']))
}

/** Quotation marks around a name belong to the sentence. */
const QUOTED = /^["“„«'‘‚](?<inner>.+)["”“»'’‘]$/u

export function unquoted(typed: string): string {
  const name = typed.trim()
  return QUOTED.exec(name)?.groups?.['inner'] ?? name
}
