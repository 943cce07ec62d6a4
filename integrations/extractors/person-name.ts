/**
 * What somebody is called, as mail headers or an address book have it: a plain name, or one made of the address. Pure. Called by the tools
 * that suggest contacts.
 */

/** Words of letters, so that no sentence, address or sign is a name. */
const NAME = /^\p{Lu}[\p{L}\p{M}.'’-]{0,29}(?: \p{Lu}?[\p{L}\p{M}.'’-]{1,29}){0,2}$/u

/** Empty for what is no plain name. */
export function plainName(shown: string): string {
  const name = shown.replace(/\s+/g, ' ').trim()
  return NAME.test(name) ? name : ''
}

/** `tom.baker@…` → Tom Baker; nothing for an address without letters. */
export function calledAs(address: string): string {
  const words = (address.split('@')[0] ?? '').split(/[^\p{L}]+/u).filter((word) => word !== '')
  return words
    .slice(0, 3)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1, 30)}`)
    .join(' ')
}
