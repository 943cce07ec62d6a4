/** Names of accounts that the owner connects at a terminal. Pure. Called by the commands that connect calendars and address books. */
import { ACCOUNT_NAME } from '../../calendar/calendar-settings.ts'

/** Maximum length of an account name, UTF-16 units, when it is derived from the owner's or the server's words. */
const MOST = 20

/** A name for answers and ids that is not in `taken`: derived from `wanted`, otherwise from `otherwise`. */
export function freeAccountName(
  wanted: string,
  { taken, otherwise }: { readonly taken: readonly { readonly name: string }[]; readonly otherwise: string },
): string {
  const plain = wanted
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MOST)
  const base = ACCOUNT_NAME.test(plain) && plain !== 'google' ? plain : otherwise
  const known = new Set(taken.map(({ name }) => name))
  // One candidate more than there are taken names, so that one is free.
  const names = [base, ...taken.map((_, at) => `${base}-${at + 2}`)]
  return names.find((name) => !known.has(name)) ?? base
}
