/**
 * Which folder of the owner's IMAP account a use or a name means. Must not find one of other people, or make one. Called by imap-mailbox.ts and what reads or
 * keeps mail beside it.
 */
import type { ImapFlow, NamespaceObject } from 'imapflow'
import { folderNamed } from '../../integrations/tools/email/folder-name.ts'
import type { EmailFolder } from '../../integrations/tools/email/manifest.ts'

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

/** A folder that the owner made, or that mail may be moved to. */
export async function pathNamed(client: ImapFlow, named: string): Promise<string | null> {
  const folders = (await client.list()).filter(
    ({ flags, specialUse = '', path }) =>
      !flags.has('\\Noselect') && !OWN_WAY.includes(specialUse) && isPersonal(client, path),
  )
  const at = folderNamed(named, folders)
  return at === null ? null : (folders[at]?.path ?? null)
}
