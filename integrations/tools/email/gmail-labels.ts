/**
 * Labels of a Gmail account, which serve as its folders: lists them, finds one by name, and creates one. A label's id is never
 * taken from a name. Must not put a label on a mail. Called by gmail.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall } from '../../../kernel/tool/manifest.ts'
import { fieldOf, isAddress, type JsonRecord, recordsOf, stringOf } from '../reading.ts'
import { callJson } from '../remote.ts'
import { accountIdOf, type FolderPath, folderNamed, isFolderName, isTaken } from './folder-name.ts'
import type { MailFolder, NewFolder } from './mailbox-port.ts'
import { EMAIL_FOLDERS, type EmailFolder } from './manifest.ts'

export const LABELS_PATH = '/gmail/v1/users/me/labels'
const PROFILE = '/gmail/v1/users/me/profile'
/** Separator within the name of a nested label. */
const DELIMITER = '/'
const LABEL_ID = /^[\w-]{1,100}$/

/** System labels that are folders; an archived mail has none of them. */
export const LABELS: Readonly<Record<Exclude<EmailFolder, 'archive'>, string>> = {
  ...{ inbox: 'INBOX', sent: 'SENT', drafts: 'DRAFT', spam: 'SPAM', trash: 'TRASH' },
}

interface Label extends FolderPath {
  /** Null for the archive, which is no label. */
  readonly id: string | null
  readonly given: JsonRecord
}

/** System folders first; omits labels that are no folders, such as the star. */
async function allLabels(call: ToolCall, base: string): Promise<Result<readonly Label[]>> {
  const listed = await callJson(call, { method: 'GET', url: new URL(LABELS_PATH, base).href })
  if (!listed.ok) return listed
  const given = recordsOf(listed.value, 'labels')
  const system = EMAIL_FOLDERS.flatMap((use): readonly Label[] => {
    if (use === 'archive') return []
    const found = given.find((label) => stringOf(label, 'id') === LABELS[use])
    return found === undefined
      ? []
      : [{ id: LABELS[use], path: use, delimiter: DELIMITER, use, given: found }]
  })
  const own = given
    .filter((label) => stringOf(label, 'type') === 'user')
    .map((label) => ({
      ...{ id: stringOf(label, 'id'), path: stringOf(label, 'name'), delimiter: DELIMITER, given: label },
    }))
  return ok([...system, ...own])
}

/** Gmail returns counts for one label at a time, so they are included only if they come with the names. */
export async function labelsOf(call: ToolCall, base: string): Promise<Result<readonly MailFolder[]>> {
  const labels = await allLabels(call, base)
  if (!labels.ok) return labels
  return ok(
    labels.value.map(({ path: name, use, given }) => ({
      ...{ name, use, mails: numberIn(given, 'messagesTotal'), unread: numberIn(given, 'messagesUnread') },
    })),
  )
}

/** One of the owner's labels. Refusals: mail_folder_missing, mail_folder_ambiguous. */
export async function labelNamed(
  call: ToolCall,
  base: string,
  named: string,
): Promise<Result<{ readonly id: string; readonly name: string }>> {
  const labels = await allLabels(call, base)
  if (!labels.ok) return labels
  const found = theOne(
    named,
    labels.value.filter(({ use }) => use === undefined),
  )
  if (!found.ok) return found
  const { id, path: name } = found.value
  return id === null ? err('mail_folder_missing', { folder: 'named' }) : ok({ id, name })
}

/** A place to read mail: a label of the owner's or of the system, or the archive. Refusals: as above. */
export async function placeNamed(
  call: ToolCall,
  base: string,
  named: string,
): Promise<
  Result<{ readonly labels: readonly string[]; readonly use: EmailFolder | null; readonly name: string }>
> {
  const labels = await allLabels(call, base)
  if (!labels.ok) return labels
  const found = theOne(named, withArchive(labels.value))
  if (!found.ok) return found
  const { id, use = null, path: name } = found.value
  return ok({ labels: id === null ? [] : [id], use, name })
}

/** Adds the archive: mail outside the inbox, which is found by a search and has no label. */
function withArchive(labels: readonly Label[]): readonly Label[] {
  // A label with that name is the owner's own archive.
  if (isTaken('archive', labels)) return labels
  return [...labels, { id: null, path: 'archive', delimiter: DELIMITER, use: 'archive', given: {} }]
}

function theOne(named: string, labels: readonly Label[]): Result<Label> {
  const at = folderNamed(named, labels)
  if (at === 'several') return err('mail_folder_ambiguous')
  const found = at === 'none' ? undefined : labels[at]
  return found === undefined || (found.id !== null && !LABEL_ID.test(found.id))
    ? err('mail_folder_missing', { folder: 'named' })
    : ok(found)
}

/** Account and name of a new label. Refusals: mail_folder_unfit, mail_folder_exists. */
export async function newLabel(call: ToolCall, base: string, name: string): Promise<Result<NewFolder>> {
  if (!isFolderName(name, [DELIMITER])) return err('mail_folder_unfit')
  const labels = await allLabels(call, base)
  if (!labels.ok) return labels
  if (isTaken(name, withArchive(labels.value))) return err('mail_folder_exists')
  const profile = await callJson(call, { method: 'GET', url: new URL(PROFILE, base).href })
  if (!profile.ok) return profile
  const address = stringOf(profile.value, 'emailAddress')
  return isAddress(address)
    ? ok({ address, name, place: accountIdOf(address) })
    : err('tool_result_invalid', { rule: 'address' })
}

function numberIn(label: JsonRecord, key: string): number | undefined {
  const value = fieldOf(label, key)
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined
}
