/**
 * The owner's contacts (DESIGN §9): their rows, bounds and store, and what an operation may do with them. Name and address are
 * sealed; a row holds references and numbers. Types and bounds only.
 */
import type { Result } from '../../flow/verdict.ts'
import type { SealedRef } from '../../task/task.ts'

/** Maximum UTF-16 units of a name, which stands on one line of a card. */
export const NAME_MAX = 80
/** Maximum contacts of the owner, including removed ones that can be restored: all are opened when home starts. */
export const MOST_CONTACTS_KEPT = 2_000
/** Milliseconds for which a removed contact, or a changed address, can be restored; then it is deleted. */
export const BACK_WITHIN = 24 * 3_600_000

/** `typed`: in the owner's own words. `confirmed`: approved on a card that showed the row. */
export type ContactSource = 'typed' | 'confirmed'

export interface StoredContact {
  /** From 1; never reused. */
  readonly number: number
  readonly ref: SealedRef
  /** Sealed name and address before the last change. */
  readonly before: SealedRef | null
  readonly source: ContactSource
  /** When it was removed, epoch milliseconds. */
  readonly gone: number | null
  /** When it was added or changed last, epoch milliseconds. */
  readonly at: number
}

/** Synchronous, like every store. */
export interface ContactStore {
  /** Returns the number of the new contact. */
  addContact(contact: Omit<StoredContact, 'number'>): number
  saveContact(contact: Pick<StoredContact, 'number' | 'ref' | 'before' | 'gone' | 'at'>): void
  /** The caller deletes its sealed rows. */
  dropContact(number: number): void
  /** All contacts by number, including removed ones. */
  contactRows(): readonly StoredContact[]
}

/** One contact as shown to the owner. Contacts of `config.toml` have no number, because only that file changes them. */
export interface ContactView {
  readonly number: number | null
  readonly name: string
  readonly email: string
  readonly source: ContactSource | 'config'
  /** The owner's groups that it is in, such as `team`; absent if none. */
  readonly groups?: readonly string[]
}

/** `set`: exactly these people; `join`: adds them; `leave`: removes them. */
export interface GroupChange {
  readonly group: string
  /** Names, separated by commas or "and". */
  readonly who: string
  readonly how: 'set' | 'join' | 'leave'
}

/** The group after the change; or, with nothing changed, the contacts that one name fits, or the name that fits none. */
export interface GroupFound {
  readonly done: {
    readonly group: string
    readonly members: readonly ContactView[]
    /** Numbers of the contacts that joined or left. */
    readonly changed: readonly number[]
  } | null
  readonly several: readonly ContactView[]
  readonly missing: string | null
}

/** Whose contacts, and the sink through which they are viewed. */
export interface Asking {
  readonly principal: string
  readonly sink: string
}

/** The contact that was changed; or, if the words fit several, all of those. */
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
  /** Undoes the last change or the removal of this contact. Refusal: contact_unknown. */
  restore(asking: Asking, number: number): Promise<Result<ContactView>>
  /** Refusal: contact_unknown where nobody is in it. */
  members(asking: Asking, group: string): Promise<Result<readonly ContactView[]>>
  /**
   * Contacts of `config.toml` in the group become the owner's own. Refusals: contact_malformed, contact_unknown, contacts_full.
   */
  regroup(asking: Asking, change: GroupChange): Promise<Result<GroupFound>>
}
