/**
 * What the mail tool does with one mailbox during one call, whatever protocol it speaks. Types only: Gmail's API implements it in gmail.ts, IMAP
 * and SMTP at home (sidecar/mail), where sockets are. Must not name a server. Called by run.ts.
 */
import type { Sender } from '../../../kernel/features/sender/sender.ts'
import type { Result } from '../../../kernel/flow/verdict.ts'
import type { Credential } from '../../../kernel/tool/manifest.ts'
import type { JsonRecord } from '../reading.ts'
import type { EmailFolder, EmailMark } from './manifest.ts'

export interface MailQuery {
  /** Absent: every folder but trash and spam. */
  readonly folder?: EmailFolder | NamedFolder
  /** False: only those that were read. */
  readonly unread?: boolean
  /** Of the name or the address of whoever sent it: all of these words, in any order. `to`: of one whom it went to. */
  readonly from?: string
  readonly to?: string
  /** All of these words, anywhere in the mail; best first. Where no mail has all, an implementation may give those with the most. */
  readonly words?: string
  /** ISO dates or instants; `before` is exclusive. A date alone is a day of the server's. */
  readonly since?: string
  readonly before?: string
  /** These alone, wherever they are, in any order; with nothing else. One that is not there is left out. Refusal: mail_renumbered. */
  readonly ids?: readonly string[]
  /** With their texts, in one go. */
  readonly whole?: true
  readonly count: number
}

/** Messages in the shape of Gmail's resource (shape.ts), newest first, or best first where words were asked for. */
export interface FoundMails {
  readonly messages: readonly JsonRecord[]
  readonly more: boolean
  /** None has all of the words: these have most of them. */
  readonly some?: true
  /** Which folder was meant, as the owner calls it, where one was named. */
  readonly folder?: string
}

/** A folder of the owner's, or a label. `mails`, `unread`: where the server says them with the names. */
export interface MailFolder {
  readonly name: string
  readonly use?: EmailFolder | undefined
  readonly mails?: number | undefined
  readonly unread?: number | undefined
}

/** A folder before it is made: in whose account, and its whole name there. `place`: the account as an id. */
export interface NewFolder {
  readonly address: string
  readonly name: string
  readonly place: string
}

/** Ids after the change, as far as the server says them; `changed`: how many mails it was; `gone`: how many were no longer there. */
export interface ChangedMails {
  readonly ids: readonly string[]
  readonly changed: number
  readonly gone: number
}

/** A folder of the owner's, or a label, by its name or its whole path. None is made. */
export interface NamedFolder {
  readonly named: string
}

/** A file of a mail, or one of the owner's that is sent with it. Somebody else may have chosen its name and its type. */
export interface MailFile {
  readonly name: string
  /** MIME type; null: by the name. */
  readonly type: string | null
  readonly bytes: Uint8Array
}

/** A file of a folder that the owner named. */
export interface OwnFile {
  /** As it is shown, from the folder on. */
  readonly path: string
  /** As the file system has it. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** The owner's folders, as far as a mail takes a file from them. */
export interface OwnFiles {
  /** By what somebody typed, which becomes no path. Refusals: folder_not_named, remote_not_found, file_ambiguous, file_too_large; those of folders. */
  find(typed: string, most: number): Promise<Result<OwnFile>>
}

/** What files together may be. */
export interface FilesBound {
  readonly count: number
  /** Decoded bytes. */
  readonly bytes: number
}

/** Which files of a mail are wanted, by their names as the mail has them: their places. Refusals: what it wants to be refused with. */
export type PickFiles = (names: readonly string[]) => Result<readonly number[]>

/** A mail of the owner's, in plain text. All addresses are bare. */
export interface Letter {
  /** As whom it goes out; absent: as the account itself. */
  readonly from?: { readonly address: string; readonly name: string | null }
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly subject: string
  readonly text: string
  readonly files?: readonly MailFile[]
  /** Left part of its message id, made of the capability, so that a mail that is handed over twice can be recognised. */
  readonly messageId: string
  /** Message ids of the mail that it answers, and of those before. */
  readonly inReplyTo?: string
  readonly references?: readonly string[]
}

/** `filed`: whether a copy is among the sent mails. `refused`: recipients that the server did not take. */
export interface SentLetter {
  readonly refused: readonly string[]
  readonly filed: boolean
}

/**
 * Refusals of all: remote_unauthorized (the server did not take the password), those of the connection, and those named at each.
 */
export interface Mailbox {
  /** Refusals for a folder by its name: mail_folder_missing, mail_folder_ambiguous. */
  find(query: MailQuery): Promise<Result<FoundMails>>
  /** Of the owner alone: none that other people share. Those that every mailbox has come first. */
  folders(): Promise<Result<readonly MailFolder[]>>
  /** What making it would make; makes nothing. Refusals: mail_folder_unfit, mail_folder_exists. */
  newFolder(name: string): Promise<Result<NewFolder>>
  /** `place`: where it was to be made; null for this account, whichever it is. Refusals: those of `newFolder`, and event_changed for another account. */
  makeFolder(name: string, place: string | null): Promise<Result<NewFolder>>
  unread(): Promise<Result<{ readonly unread: number; readonly more: boolean }>>
  /** Refusals: remote_not_found, mail_renumbered. */
  read(id: string): Promise<Result<JsonRecord>>
  /** The files of a mail, in order; `pick`: these alone, and no other is fetched. Refusals: those of `read` and of `pick`, and file_too_large for more than the bound. */
  files(id: string, most: FilesBound, pick?: PickFiles): Promise<Result<readonly MailFile[]>>
  /** Refusal: mail_renumbered. */
  mark(ids: readonly string[], as: EmailMark): Promise<Result<ChangedMails>>
  /**
   * Refusals: mail_renumbered, mail_folder_missing, mail_folder_ambiguous for a name that several have; remote_rejected also by a server that could not move
   * them alone.
   */
  move(ids: readonly string[], to: EmailFolder | NamedFolder): Promise<Result<ChangedMails>>
  /** Returns its id, or null where the server does not say it. Refusals: mailbox_full, mail_folder_missing. */
  draft(letter: Letter): Promise<Result<string | null>>
  /**
   * Refusals: mail_refused (by the server, and nobody got it), mailbox_full, mail_cannot_send, and write_outcome_unknown if the connection ended after
   * the mail was handed over and before the server's word.
   */
  send(letter: Letter): Promise<Result<SentLetter>>
}

/** The account of the owner that home reaches by IMAP and SMTP. */
export interface MailAccount {
  /** The owner's address, and their name of the account. */
  readonly address: string
  /** Exact hosts with ports; nothing else is reached. */
  readonly hosts: readonly string[]
  /** Logs in at both servers and does nothing there. */
  check(credential: Credential): Promise<Result<string | null>>
  open(credential: Credential): Mailbox
}

/** One of several mailboxes of the owner. */
export interface NamedMailbox {
  /** The owner's name for it; the beginning of the ids of its mails, but for the first. */
  readonly name: string
  /** Its address and the parts of its domain, by which the owner may call it, too. */
  readonly called: readonly string[]
  /** As the custodian is asked for its credential. */
  readonly credential: string
  readonly account: string | null
  /** Name of that credential in the vault. */
  readonly secret: string
  /** Null: it is reached by the API of the tool's own service. */
  readonly own: MailAccount | null
  /** As whom it sends, as far as that is its own; null: as the owner has set for all mail. */
  readonly sender: Partial<Pick<Sender, 'name' | 'addresses' | 'signature'>> | null
}

/** All of them, at least two: the first is the one whose ids are as they were when it was alone. `standard`: name of the one that sends where nothing else decides. */
export interface SeveralMailboxes {
  readonly all: readonly NamedMailbox[]
  readonly standard: string
  /** Resolves after so many milliseconds, and keeps no process alive. */
  readonly late: (wait: number) => Promise<void>
}

/** The owner's mail account, and how a letter becomes the bytes of a message (RFC 5322). */
export interface MailPowers {
  readonly account: MailAccount | null
  /** Absent: there are no several. */
  readonly several?: SeveralMailboxes
  /** SHA-256 in hex. */
  readonly digest: (bytes: Uint8Array) => Promise<string>
  /** `from`: null where the service fills in the owner's address. Bcc is kept in the bytes only for a draft. */
  readonly compose: (letter: Letter, from: string | null, keepBcc: boolean) => Promise<Uint8Array>
}
