/** Which folder or label of the owner's a name means, and which name a new one may have. Pure; makes none. Called by gmail-labels.ts and sidecar/mail. */
import type { EmailFolder } from './manifest.ts'

/** `delimiter`: between the names of its path; null where the server has none. */
export interface FolderPath {
  readonly path: string
  readonly delimiter: string | null
  /** What the owner calls it, where that is not the path. */
  readonly shown?: string
  /** What it is for, where the server says so. */
  readonly use?: EmailFolder | undefined
}

/** How people call the folders that every mailbox has, folded. */
const CALLED: Readonly<Record<EmailFolder, readonly string[]>> = {
  inbox: ['inbox', 'posteingang'],
  archive: ['archive', 'archiv'],
  sent: ['sent', 'sent mail', 'sent items', 'gesendet', 'gesendete', 'gesendete mails'],
  drafts: ['drafts', 'draft', 'entwurfe', 'entwuerfe'],
  spam: ['spam', 'junk', 'junk mail'],
  trash: ['trash', 'bin', 'deleted items', 'papierkorb'],
}

/** Whether what lies there is the owner's own: sent mail, and drafts. `named`: as the owner calls it. */
export function isOfOwnMail(folder: EmailFolder | { readonly named: string } | undefined): boolean {
  if (folder === undefined) return false
  if (typeof folder === 'string') return OWN.includes(folder)
  return OWN.some((use) => CALLED[use].some((called) => isAlike(called, plain(folder.named))))
}

const OWN: readonly EmailFolder[] = ['sent', 'drafts']

/**
 * Index of the one folder that is so called: by its whole path as it is written, then whatever the case and the accents, then by its use, then by the last
 * part of its path in the same two ways. The first of these that any folder fits decides.
 */
export function folderNamed(named: string, folders: readonly FolderPath[]): number | 'none' | 'several' {
  const wanted = plain(named)
  if (wanted === '') return 'none'
  const ways: readonly ((folder: FolderPath) => boolean)[] = [
    ...wholeWays(named),
    (folder) => plain(lastName(folder)) === wanted,
    (folder) => isAlike(lastName(folder), wanted),
  ]
  for (const fits of ways) {
    const [only, ...others] = folders.flatMap((folder, at) => (fits(folder) ? [at] : []))
    if (only !== undefined) return others.length > 0 ? 'several' : only
  }
  return 'none'
}

/** Whether a new folder of this name could be taken for one of these. */
export function isTaken(name: string, folders: readonly FolderPath[]): boolean {
  return folders.some((folder) => wholeWays(name).some((fits) => fits(folder)))
}

function wholeWays(named: string): readonly ((folder: FolderPath) => boolean)[] {
  const wanted = plain(named)
  const wholes = ({ path, shown = path }: FolderPath): readonly string[] => [path, shown]
  return [
    (folder) => wholes(folder).some((whole) => plain(whole) === wanted),
    (folder) => wholes(folder).some((whole) => isAlike(whole, wanted)),
    ({ use }) => use !== undefined && CALLED[use].some((called) => isAlike(called, wanted)),
  ]
}

/** UTF-16 units: an id of a mail by IMAP holds the path, and ids are 256 characters at most. */
const MOST_NAME = 50
/** What ends a line or is not seen, what some server separates the names of a path with, and the wildcards of RFC 9051 §6.3.9. */
const UNFIT = /[\p{C}\p{Zl}\p{Zp}/\\%*"]/u
/** Of hidden folders, of paths, and of namespaces (RFC 9051 §5.1). */
const BEGINNING = /^[.#~&]/

/** Whether a new folder may be called so: one name, which every program shows as it is. `delimiters`: of the account. */
export function isFolderName(name: string, delimiters: readonly string[]): boolean {
  return (
    name.trim() === name &&
    name !== '' &&
    name.length <= MOST_NAME &&
    !UNFIT.test(name) &&
    !BEGINNING.test(name) &&
    !delimiters.some((delimiter) => delimiter !== '' && name.includes(delimiter))
  )
}

/** An account as an id, which a card binds. */
export function accountIdOf(address: string): string {
  return encodeURIComponent(address.toLowerCase())
}

function plain(text: string): string {
  return text.normalize('NFC').trim()
}

function isAlike(one: string, other: string): boolean {
  const folded = foldsOf(other)
  return foldsOf(one).some((fold) => folded.includes(fold))
}

/** Without case and accents, and with the letters by which people without an umlaut write it. */
function foldsOf(text: string): readonly string[] {
  const lower = plain(text).toLowerCase()
  const spelled = lower.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue')
  return [lower, spelled].map((one) => one.replaceAll('ß', 'ss').normalize('NFKD').replace(/\p{M}/gu, ''))
}

/** A server without levels has no parts: a dot or a slash belongs to the name there. */
function lastName({ path, delimiter }: FolderPath): string {
  return delimiter === null || delimiter === '' ? path : (path.split(delimiter).at(-1) ?? '')
}
