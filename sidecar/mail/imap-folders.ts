/**
 * The folders of the owner's IMAP account: which one a use or a name means, their names, and creating one. Must not return
 * folders of other people, or create one except in `makeFolder`. Called by imap-mailbox.ts and the other files that read or store
 * mail.
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
  // A provider with one folder for all mail archives a mail by removing it from the inbox.
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

/** Folders that mail enters automatically, or by an action that needs an approval. */
const OWN_WAY: readonly string[] = ['\\Sent', '\\Drafts', '\\Trash', '\\Junk']

/**
 * False for a folder of other people or of a group, who could read what is put there (RFC 2342). The longest matching prefix
 * determines the owner.
 */
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

/** A folder of the owner's that can contain mail. */
interface OwnFolder extends FolderPath {
  readonly path: string
  readonly shown: string
  readonly use?: EmailFolder | undefined
  readonly listed: ListResponse
}

/** Omits folders of other people, and names that only contain other folders. */
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
 * The path as the server wrote it, for comparison with its prefixes. The library adds the owner's prefix to every path without
 * one, also to folders of other people.
 */
function asListed({ pathAsListed, delimiter }: ListResponse): string {
  return delimiter && pathAsListed.startsWith(delimiter) ? pathAsListed.slice(delimiter.length) : pathAsListed
}

/** For a use, the first of its flags that a folder has determines the folder. */
function useOf({ path, specialUse = '' }: ListResponse, there: ReadonlySet<string | undefined>) {
  if (path === 'INBOX') return 'inbox'
  return EMAIL_FOLDERS.find(
    (use) => use !== 'inbox' && USES[use].find((flag) => there.has(flag)) === specialUse && specialUse !== '',
  )
}

/** Its path relative to the owner's folders, with `/` as separator whatever the server uses. */
function shownAs({ namespaces }: ImapFlow, { path, delimiter }: ListResponse): string {
  const prefix = (namespaces?.personal || [])
    .map((one) => one.prefix)
    .filter((one) => one !== '' && path.startsWith(one) && path.length > one.length)
    .reduce((longest, one) => (one.length > longest.length ? one : longest), '')
  const own = path.slice(prefix.length)
  return delimiter ? own.split(delimiter).join('/') : own
}

/** A folder that mail may be moved to. Refusals: mail_folder_missing, mail_folder_ambiguous. */
export async function pathNamed(client: ImapFlow, named: string): Promise<Result<string>> {
  const folders = ownFolders(client, await client.list()).filter(
    ({ listed: { specialUse = '' } }) => !OWN_WAY.includes(specialUse),
  )
  const found = theOne(named, folders)
  return found.ok ? ok(found.value.path) : found
}

/** A folder that mail is read in, including those that mail enters automatically. Refusals: as above. */
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

/** With counts only if one response contains them all (RFC 5819): one request per folder would take too long. */
export async function listFolders(client: ImapFlow): Promise<Result<readonly MailFolder[]>> {
  const counts = client.capabilities.has('LIST-STATUS') && { statusQuery: { messages: true, unseen: true } }
  const all = await client.list(counts === false ? {} : counts)
  return ok(
    ownFolders(client, all).map(({ shown: name, use, listed: { status } }) => ({
      ...{ name, use, mails: status?.messages, unread: status?.unseen },
    })),
  )
}

/**
 * The full name of a new folder at the top of the owner's own folders, if it can be created. Refusals: mail_folder_unfit,
 * mail_folder_exists.
 */
export async function newFolder(client: ImapFlow, name: string): Promise<Result<string>> {
  const all = await client.list()
  const delimiters = all.map(({ delimiter }) => delimiter ?? '')
  const [own] = client.namespaces?.personal || []
  if (!isFolderName(name, [...delimiters, own?.delimiter ?? ''])) return err('mail_folder_unfit')
  if (isTaken(name, personal(client, all))) return err('mail_folder_exists')
  // Under a prefix that is shared, or that begins the names of others' folders, the new folder would belong to others.
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
