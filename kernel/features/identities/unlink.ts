/**
 * `/unlink` in a chat of the owner (F-16): ends a link at once, because that narrows. With several links the owner
 * names the account, because a number could mean another link by then. Must only read the owner's words. Called by
 * own-commands.ts.
 */
import { type Labeled, test } from '../../flow/labeled.ts'
import type { AtPlace, LinkDesk } from '../../powers/ports.ts'
import { commandIn } from '../../task/command.ts'
import { wordsFor } from '../../wording/words.ts'
import type { LiveLink } from './link-desk-port.ts'
import { NOT_LINKED, noneOfThat, notEnded, unlinkedText, whichLink } from './unlink-words.ts'

export async function unlink(powers: AtPlace & LinkDesk, words: Labeled<string>): Promise<string> {
  const links = (await powers.links?.live()) ?? []
  if (links.length === 0) return NOT_LINKED
  const isBare = test(words, (text) => commandIn(text)?.rest === '')
  const said = isBare ? links : links.filter((link) => isMeant(words, link))
  const listed = links.map(namesOf)
  if (said.length === 0) return noneOfThat(listed)
  const [only, ...others] = said
  if (only === undefined || others.length > 0) return whichLink(said.map(namesOf))
  const ended = await powers.links?.end(only.id)
  if (ended?.ok !== true) return notEnded(wordsFor(ended?.reason.code ?? 'identity_unknown'))
  return unlinkedText(namesOf(only), powers.place)
}

/** Matches one account of the link, or both. */
function isMeant(words: Labeled<string>, link: LiveLink): boolean {
  const names = namesOf(link).map((name) => name.toLowerCase())
  return test(words, (text) =>
    (commandIn(text)?.rest.toLowerCase() ?? '').split(/\s+/).every((said) => names.includes(said)),
  )
}

function namesOf({ ends }: LiveLink): readonly string[] {
  return ends.map(nameOf)
}

/** `<adapter>:1001`, the form that `pfar identities` accepts; `owner` is the owner. */
function nameOf(principal: string): string {
  return principal.replace(/^principal:/, '').replace(/^([^:]+):peer:/, '$1:')
}
