/**
 * The owner's contacts (DESIGN §9): what is kept of each, their bounds, the store, and what an operation may do with them. Name and
 * address are sealed; a row holds references and numbers. Types and bounds only.
 */
import type { Result } from '../../flow/verdict.ts'
import type { SealedRef } from '../../task/task.ts'

/** UTF-16 units of a name: it stands on one line of a card. */
export const NAME_MAX = 80
/** Contacts that the owner told, together with removed ones that can come back: each is opened when home starts. */
export const MOST_CONTACTS_KEPT = 2_000
/** Milliseconds in which a removed contact, or an address that was changed, can come back; then it is deleted. */
export const BACK_WITHIN = 24 * 3_600_000

/** `typed`: by the owner, in words of theirs. `confirmed`: on a card that showed the row. */
export type ContactSource = 'typed' | 'confirmed'

export interface StoredContact {
  /** From 1; never reused. */
  readonly number: number
  readonly ref: SealedRef
  /** What it was before its last change. */
  readonly before: SealedRef | null
  readonly source: ContactSource
  /** When it was removed, epoch milliseconds. */
  readonly gone: number | null
  /** When it was told or changed last, epoch milliseconds. */
  readonly at: number
}

/** Synchronous, like every store. */
export interface ContactStore {
  /** Returns the number that it got. */
  addContact(contact: Omit<StoredContact, 'number'>): number
  saveContact(contact: Pick<StoredContact, 'number' | 'ref' | 'before' | 'gone' | 'at'>): void
  /** The caller deletes its sealed rows. */
  dropContact(number: number): void
  /** By number, also those that are gone. */
  contactRows(): readonly StoredContact[]
}

/** One contact as shown to the owner. Those of `config.toml` have no number: that file changes them. */
export interface ContactView {
  readonly number: number | null
  readonly name: string
  readonly email: string
  readonly source: ContactSource | 'config'
  /** Groups of the owner's own, such as `team`; absent: none. */
  readonly groups?: readonly string[]
}

/** `set`: these and nobody else; `join`: these besides; `leave`: without these. */
export interface GroupChange {
  readonly group: string
  /** Names, with commas or "and" between them. */
  readonly who: string
  readonly how: 'set' | 'join' | 'leave'
}

/** The group after the change; or, with nothing changed, the contacts that one name fits, or the name that fits none. */
export interface GroupFound {
  readonly done: {
    readonly group: string
    readonly members: readonly ContactView[]
    /** Numbers of those that came or went. */
    readonly changed: readonly number[]
  } | null
  readonly several: readonly ContactView[]
  readonly missing: string | null
}

/** Whose, and the sink through which it is viewed. */
export interface Asking {
  readonly principal: string
  readonly sink: string
}

/** What was changed; or, of words that fit several, those. */
export interface Found {
  readonly done: ContactView | null
  readonly several: readonly ContactView[]
}

export interface Contacts {
  list(asking: Asking): Promise<readonly ContactView[]>
  /** `who`: a name or part of one, an address, or a number. */
  find(asking: Asking, who: string): Promise<readonly ContactView[]>
  /** Refusals: contact_malformed; contact_exists for a name that has another address; contacts_full. */
  add(
    asking: Asking,
    contact: { readonly name: string; readonly email: string },
  ): Promise<Result<ContactView>>
  /** Refusals: contact_unknown, contact_configured, contact_malformed. */
  change(asking: Asking, who: string, email: string): Promise<Result<Found>>
  /** Refusals: contact_unknown, contact_configured, contact_exists, contact_malformed. */
  rename(asking: Asking, who: string, name: string): Promise<Result<Found>>
  /** Refusals: contact_unknown, contact_configured. */
  remove(asking: Asking, who: string): Promise<Result<Found>>
  /** Takes the last change of this one back, or its removal. Refusal: contact_unknown. */
  restore(asking: Asking, number: number): Promise<Result<ContactView>>
  /** Refusal: contact_unknown where nobody is in it. */
  members(asking: Asking, group: string): Promise<Result<readonly ContactView[]>>
  /** Contacts of `config.toml` become the owner's own by it. Refusals: contact_malformed, contact_unknown, contacts_full. */
  regroup(asking: Asking, change: GroupChange): Promise<Result<GroupFound>>
}
