/**
 * Which folder or label of the owner's a name means, and which names a new one may have. Pure; creates none. Called by
 * gmail-labels.ts and sidecar/mail.
 */
import type { EmailFolder } from './manifest.ts'

/** `delimiter`: separator within its path; null if the server has none. */
export interface FolderPath {
  readonly path: string
  readonly delimiter: string | null
  /** The owner's name for it, if it differs from the path. */
  readonly shown?: string
  /** Its use, if the server reports one. */
  readonly use?: EmailFolder | undefined
}

/** Common names of the folders that every mailbox has, folded. */
const CALLED: Readonly<Record<EmailFolder, readonly string[]>> = {
  inbox: ['inbox', 'posteingang'],
  archive: ['archive', 'archiv'],
  sent: ['sent', 'sent mail', 'sent items', 'gesendet', 'gesendete', 'gesendete mails'],
  drafts: ['drafts', 'draft', 'entwurfe', 'entwuerfe'],
  spam: ['spam', 'junk', 'junk mail'],
  trash: ['trash', 'bin', 'deleted items', 'papierkorb'],
}

/** Whether the folder contains the owner's own mail: sent mail or drafts. `named`: the owner's name for it. */
export function isOfOwnMail(folder: EmailFolder | { readonly named: string } | undefined): boolean {
  if (folder === undefined) return false
  if (typeof folder === 'string') return OWN.includes(folder)
  return OWN.some((use) => CALLED[use].some((called) => isAlike(called, plain(folder.named))))
}

const OWN: readonly EmailFolder[] = ['sent', 'drafts']

/**
 * Index of the one folder with this name. Compared in this order: the whole path exactly, the path ignoring case and accents, its
 * use, and the last part of the path in the same two ways. The first comparison that matches any folder decides.
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

/** Whether a new folder with this name could be confused with one of these. */
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

/** Maximum UTF-16 units: an IMAP mail id contains the path, and ids have at most 256 characters. */
const MOST_NAME = 50
/** Characters that end a line or are invisible, path separators of some servers, and the wildcards of RFC 9051 §6.3.9. */
const UNFIT = /[\p{C}\p{Zl}\p{Zp}/\\%*"]/u
/** Prefixes of hidden folders, paths and namespaces (RFC 9051 §5.1). */
const BEGINNING = /^[.#~&]/

/**
 * Whether a new folder may have this name: a single name that every program shows unchanged. `delimiters`: those of the account.
 */
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

/** The account as an id, to which a card is bound. */
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

/** Without case and accents, in both spellings of umlauts. */
function foldsOf(text: string): readonly string[] {
  const lower = plain(text).toLowerCase()
  const spelled = lower.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue')
  return [lower, spelled].map((one) => one.replaceAll('ß', 'ss').normalize('NFKD').replace(/\p{M}/gu, ''))
}

/** Without a delimiter the whole path is the name, including dots and slashes. */
function lastName({ path, delimiter }: FolderPath): string {
  return delimiter === null || delimiter === '' ? path : (path.split(delimiter).at(-1) ?? '')
}
