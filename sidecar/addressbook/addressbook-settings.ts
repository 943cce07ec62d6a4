/**
 * The owner's address book accounts besides Google's, as configured. Types and bounds; must not hold a password. Called by config.ts, by
 * `pfar connect contacts` and by this folder.
 */
import { ADDRESSBOOK } from '../../integrations/tools/addressbook/account-port.ts'

/** A CardDAV account (RFC 6352): one server, which alone gets the password. */
export interface CarddavSettings {
  /** The owner's name for it. */
  readonly name: string
  /** Origin. */
  readonly server: string
  readonly user: string
  /** Path of the folder of address books. */
  readonly home: string
}

/** Most accounts besides Google's: each of them is asked for each read. */
export const MAX_ADDRESSBOOKS = 8

/** Name of the secret of an account. */
export function addressbookSecret(account: string): string {
  return `${ADDRESSBOOK}-${account}`
}
