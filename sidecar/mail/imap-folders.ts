/**
 * The folders of the owner's IMAP account: which one a use or a name means, their names, and a new one. Must not find one of other people, or make one but in
 * `makeFolder`. Called by imap-mailbox.ts and what reads or keeps mail beside it.
 */
import type { ImapFlow, ListResponse, NamespaceObject } from 'imapflow'
import {
  type FolderPath,
  folderNamed,
  isFolderName,
  isTaken,
} from '../../integrations/tools/email/folder-name.ts'
import type { MailFolder } from '../../integrations/tools/email/mailbox-port.ts'
import { EMAIL_FOLDERS, type EmailFolder } from '../../integrations/tools/email/manifest.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

const USES: Readonly<Record<Exclude<EmailFolder, 'inbox'>, readonly string[]>> = {
  // Where a provider has one folder with everything, a mail without the inbox is archived there.
  ...{ archive: ['\\Archive', '\\All'], sent: ['\\Sent'], drafts: ['\\Drafts'] },
  ...{ spam: ['\\Junk'], trash: ['\\Trash'] },
}

export async function pathOf(client: ImapFlow, folder: EmailFolder): Promise<string | null> {
  if (folder === 'inbox') return 'INBOX'
  const folders = await client.list()
  for (const use of USES[folder]) {
    const found = folders.find(({ specialUse }) => specialUse === use)
    if (found !== undefined) return found.path
  }
  return null
}

/** What mail gets into by itself, or by an action that asks first. */
const OWN_WAY: readonly string[] = ['\\Sent', '\\Drafts', '\\Trash', '\\Junk']

/** False for a folder of other people or of a group: what is put there they read (RFC 2342). The longest prefix says whose it is. */
export function isPersonal({ namespaces }: Pick<ImapFlow, 'namespaces'>, path: string): boolean {
  const lengthIn = (all: readonly NamespaceObject[] | false | undefined) =>
    Math.max(
      -1,
      ...(all || [])
        .filter(({ prefix, delimiter }) => path.startsWith(prefix) || `${path}${delimiter ?? ''}` === prefix)
        .map(({ prefix }) => prefix.length),
    )
  const others = Math.max(lengthIn(namespaces?.other), lengthIn(namespaces?.shared))
  return others < 0 || lengthIn(namespaces?.personal) >= others
}

/** A folder of the owner's that mail can be in. */
interface OwnFolder extends FolderPath {
  readonly path: string
  readonly shown: string
  readonly use?: EmailFolder | undefined
  readonly listed: ListResponse
}

/** Without those of other people, and without names that only have others below them. */
function ownFolders(client: ImapFlow, all: readonly ListResponse[]): readonly OwnFolder[] {
  return personal(client, all).filter(({ listed }) => !listed.flags.has('\\Noselect'))
}

function personal(client: ImapFlow, all: readonly ListResponse[]): readonly OwnFolder[] {
  const mine = all.filter((one) => isPersonal(client, asListed(one)))
  const uses = new Set(mine.map(({ specialUse }) => specialUse))
  return mine.map((listed) => {
    const { path, delimiter } = listed
    return { path, delimiter, shown: shownAs(client, listed), use: useOf(listed, uses), listed }
  })
}

/**
 * As the server wrote it, which is how it writes the prefixes: the library puts the owner's prefix before whatever has none, other people's folders
 * too.
 */
function asListed({ pathAsListed, delimiter }: ListResponse): string {
  return delimiter && pathAsListed.startsWith(delimiter) ? pathAsListed.slice(delimiter.length) : pathAsListed
}

/** The first of the flags that stand for a use is that folder. */
function useOf({ path, specialUse = '' }: ListResponse, there: ReadonlySet<string | undefined>) {
  if (path === 'INBOX') return 'inbox'
  return EMAIL_FOLDERS.find(
    (use) => use !== 'inbox' && USES[use].find((flag) => there.has(flag)) === specialUse && specialUse !== '',
  )
}

/** Its path from the owner's own folders on, with a slash between its parts whatever the server has there. */
function shownAs({ namespaces }: ImapFlow, { path, delimiter }: ListResponse): string {
  const prefix = (namespaces?.personal || [])
    .map((one) => one.prefix)
    .filter((one) => one !== '' && path.startsWith(one) && path.length > one.length)
    .reduce((longest, one) => (one.length > longest.length ? one : longest), '')
  const own = path.slice(prefix.length)
  return delimiter ? own.split(delimiter).join('/') : own
}

/** One that mail may be moved to. Refusals: mail_folder_missing, mail_folder_ambiguous. */
export async function pathNamed(client: ImapFlow, named: string): Promise<Result<string>> {
  const folders = ownFolders(client, await client.list()).filter(
    ({ listed: { specialUse = '' } }) => !OWN_WAY.includes(specialUse),
  )
  const found = theOne(named, folders)
  return found.ok ? ok(found.value.path) : found
}

/** One that mail is read in: also those that it gets into by itself. Refusals: as above. */
export async function folderToRead(
  client: ImapFlow,
  named: string,
): Promise<Result<{ readonly path: string; readonly shown: string }>> {
  return theOne(named, ownFolders(client, await client.list()))
}

function theOne(named: string, folders: readonly OwnFolder[]): Result<OwnFolder> {
  const at = folderNamed(named, folders)
  const found = typeof at === 'number' ? folders[at] : undefined
  if (found !== undefined) return ok(found)
  return at === 'several' ? err('mail_folder_ambiguous') : err('mail_folder_missing', { folder: 'named' })
}

/** With counts only where one answer has them all (RFC 5819): a question for each folder takes as long as there are folders. */
export async function listFolders(client: ImapFlow): Promise<Result<readonly MailFolder[]>> {
  const counts = client.capabilities.has('LIST-STATUS') && { statusQuery: { messages: true, unseen: true } }
  const all = await client.list(counts === false ? {} : counts)
  return ok(
    ownFolders(client, all).map(({ shown: name, use, listed: { status } }) => ({
      ...{ name, use, mails: status?.messages, unread: status?.unseen },
    })),
  )
}

/** Its whole name, if it can be made: among the owner's own folders, at the top. Refusals: mail_folder_unfit, mail_folder_exists. */
export async function newFolder(client: ImapFlow, name: string): Promise<Result<string>> {
  const all = await client.list()
  const delimiters = all.map(({ delimiter }) => delimiter ?? '')
  const [own] = client.namespaces?.personal || []
  if (!isFolderName(name, [...delimiters, own?.delimiter ?? ''])) return err('mail_folder_unfit')
  if (isTaken(name, personal(client, all))) return err('mail_folder_exists')
  // In a prefix that is not the owner's alone, or that others' names begin with, it would be theirs.
  return isPersonal(client, `${own?.prefix ?? ''}${name}`) ? ok(name) : err('mail_folder_unfit')
}

/** Refusals: those of `newFolder`. */
export async function makeFolder(client: ImapFlow, name: string): Promise<Result<string>> {
  const fits = await newFolder(client, name)
  if (!fits.ok) return fits
  const [own] = client.namespaces?.personal || []
  const made = await client.mailboxCreate(`${own?.prefix ?? ''}${name}`)
  return made.created === false ? err('mail_folder_exists') : ok(name)
}
