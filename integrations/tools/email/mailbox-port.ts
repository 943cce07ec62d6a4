/**
 * Operations of the mail tool on one mailbox during one call, for any protocol. Types only: gmail.ts implements it for Gmail's
 * API, sidecar/mail for IMAP and SMTP at home, where sockets are. Must not name a server. Called by run.ts.
 */
import type { Sender } from '../../../kernel/features/sender/sender.ts'
import type { Result } from '../../../kernel/flow/verdict.ts'
import type { Credential } from '../../../kernel/tool/manifest.ts'
import type { JsonRecord } from '../reading.ts'
import type { EmailFolder, EmailMark } from './manifest.ts'

export interface MailQuery {
  /** Absent: every folder but trash and spam. */
  readonly folder?: EmailFolder | NamedFolder
  /** False: only read mails. */
  readonly unread?: boolean
  /** Words of the sender's name or address: all of them, in any order. `to`: those of a recipient. */
  readonly from?: string
  readonly to?: string
  /**
   * All of these words, anywhere in the mail; best matches first. If no mail has all of them, an implementation may return those
   * with most.
   */
  readonly words?: string
  /** ISO dates or instants; `before` is exclusive. A date without a time is a day in the server's time zone. */
  readonly since?: string
  readonly before?: string
  /**
   * Only these mails, in any folder and order, combined with nothing else. Omits a mail that no longer exists. Refusal:
   * mail_renumbered.
   */
  readonly ids?: readonly string[]
  /** Includes their texts, in one request. */
  readonly whole?: true
  readonly count: number
}

/** Messages in the shape of Gmail's resource (shape.ts), newest first, or best match first for a search by words. */
export interface FoundMails {
  readonly messages: readonly JsonRecord[]
  readonly more: boolean
  /** No mail has all of the words; these have most of them. */
  readonly some?: true
  /** The owner's name of the folder, if one was named. */
  readonly folder?: string
}

/** A folder or label of the owner's. `mails`, `unread`: counts, if the server returns them with the names. */
export interface MailFolder {
  readonly name: string
  readonly use?: EmailFolder | undefined
  readonly mails?: number | undefined
  readonly unread?: number | undefined
}

/** A folder that would be created: its account, and its full name there. `place`: the account as an id. */
export interface NewFolder {
  readonly address: string
  readonly name: string
  readonly place: string
}

/**
 * Ids after the change, as far as the server reports them; `changed`: number of mails changed; `gone`: number of mails that no
 * longer existed.
 */
export interface ChangedMails {
  readonly ids: readonly string[]
  readonly changed: number
  readonly gone: number
}

/** An existing folder or label of the owner's, by its name or full path. */
export interface NamedFolder {
  readonly named: string
}

/** A file of a mail, or one of the owner's that is attached. Its name and type may be chosen by others. */
export interface MailFile {
  readonly name: string
  /** MIME type; null: derived from the name. */
  readonly type: string | null
  readonly bytes: Uint8Array
}

/** A file of a folder that the owner named. */
export interface OwnFile {
  /** Path as shown, from the folder on. */
  readonly path: string
  /** Name in the file system. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** Files of the owner's folders that can be attached to a mail. */
export interface OwnFiles {
  /**
   * By typed words, which never become a path. Refusals: folder_not_named, remote_not_found, file_ambiguous, file_too_large;
   * those of folders.
   */
  find(typed: string, most: number): Promise<Result<OwnFile>>
}

/** Limits for several files together. */
export interface FilesBound {
  readonly count: number
  /** Decoded bytes. */
  readonly bytes: number
}

/** Selects files of a mail by their names; returns their positions. May refuse with any reason. */
export type PickFiles = (names: readonly string[]) => Result<readonly number[]>

/** A mail of the owner's, in plain text. All addresses are bare. */
export interface Letter {
  /** Sender; absent: the account itself. */
  readonly from?: { readonly address: string; readonly name: string | null }
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly subject: string
  readonly text: string
  readonly files?: readonly MailFile[]
  /** Left part of its message id, derived from the capability, so that a second delivery of the same mail can be recognised. */
  readonly messageId: string
  /** Message ids of the answered mail, and of those before it. */
  readonly inReplyTo?: string
  readonly references?: readonly string[]
}

/** `filed`: whether a copy is in the folder of sent mails. `refused`: recipients that the server refused. */
export interface SentLetter {
  readonly refused: readonly string[]
  readonly filed: boolean
}

/**
 * Refusals of all methods: remote_unauthorized (the server refused the password), those of the connection, and those named at
 * each.
 */
export interface Mailbox {
  /** Refusals for a folder by its name: mail_folder_missing, mail_folder_ambiguous. */
  find(query: MailQuery): Promise<Result<FoundMails>>
  /** Only the owner's folders, none that other people share. Standard folders come first. */
  folders(): Promise<Result<readonly MailFolder[]>>
  /** Looks up what would be created, and creates nothing. Refusals: mail_folder_unfit, mail_folder_exists. */
  newFolder(name: string): Promise<Result<NewFolder>>
  /**
   * `place`: the account that was approved; null for this account, whichever it is. Refusals: those of `newFolder`, and
   * event_changed for another account.
   */
  makeFolder(name: string, place: string | null): Promise<Result<NewFolder>>
  unread(): Promise<Result<{ readonly unread: number; readonly more: boolean }>>
  /** Refusals: remote_not_found, mail_renumbered. */
  read(id: string): Promise<Result<JsonRecord>>
  /**
   * The files of a mail, in order; with `pick`, only the selected ones are fetched. Refusals: those of `read` and of `pick`, and
   * file_too_large.
   */
  files(id: string, most: FilesBound, pick?: PickFiles): Promise<Result<readonly MailFile[]>>
  /** Refusal: mail_renumbered. */
  mark(ids: readonly string[], as: EmailMark): Promise<Result<ChangedMails>>
  /**
   * Refusals: mail_renumbered, mail_folder_missing, mail_folder_ambiguous; remote_rejected also from a server that cannot move
   * single mails.
   */
  move(ids: readonly string[], to: EmailFolder | NamedFolder): Promise<Result<ChangedMails>>
  /** Returns its id, or null if the server does not report it. Refusals: mailbox_full, mail_folder_missing. */
  draft(letter: Letter): Promise<Result<string | null>>
  /**
   * Refusals: mail_refused (by the server; nobody received it), mailbox_full, mail_cannot_send, and write_outcome_unknown if the
   * connection was lost after the mail was sent and before the server's answer.
   */
  send(letter: Letter): Promise<Result<SentLetter>>
}

/** An account of the owner that home accesses by IMAP and SMTP. */
export interface MailAccount {
  /** The owner's address, and their name of the account. */
  readonly address: string
  /** Exact hosts with ports; no other host is contacted. */
  readonly hosts: readonly string[]
  /** Logs in at both servers and does nothing else. */
  check(credential: Credential): Promise<Result<string | null>>
  open(credential: Credential): Mailbox
}

/** One of several mailboxes of the owner. */
export interface NamedMailbox {
  /** The owner's name for it, which begins the ids of its mails (except for the first mailbox). */
  readonly name: string
  /** Its address and the parts of its domain, by which the owner may refer to it. */
  readonly called: readonly string[]
  /** Name by which its credential is requested. */
  readonly credential: string
  readonly account: string | null
  /** Name of that credential in the vault. */
  readonly secret: string
  /** Null: it is accessed by the API of the tool's own service. */
  readonly own: MailAccount | null
  /** Its own sender settings; null: the owner's general settings. */
  readonly sender: Partial<Pick<Sender, 'name' | 'addresses' | 'signature'>> | null
}

/**
 * All mailboxes, at least two; ids of the first have no name before them. `standard`: name of the mailbox that sends by default.
 */
export interface SeveralMailboxes {
  readonly all: readonly NamedMailbox[]
  readonly standard: string
  /** Resolves after so many milliseconds, and keeps no process alive. */
  readonly late: (wait: number) => Promise<void>
}

/** The owner's mail accounts, and the conversion of a letter to the bytes of a message (RFC 5322). */
export interface MailPowers {
  readonly account: MailAccount | null
  /** Absent: there is only one mailbox. */
  readonly several?: SeveralMailboxes
  /** SHA-256 in hex. */
  readonly digest: (bytes: Uint8Array) => Promise<string>
  /** `from`: null if the service fills in the owner's address. Bcc is kept in the bytes only for a draft. */
  readonly compose: (letter: Letter, from: string | null, keepBcc: boolean) => Promise<Uint8Array>
}
