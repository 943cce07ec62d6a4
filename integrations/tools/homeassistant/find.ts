/**
 * Which entities words mean: all words must be in name, area or id, or name the kind. Several that fit are given back as several: which is meant, the owner says.
 * Pure. Called by run.ts.
 */
import { KIND_WORDS, type Kind, type State } from './measures.ts'
import type { Entity } from './shape.ts'

/** Words of a question that name nothing. */
const FILLER: ReadonlySet<string> = new Set(
  `the my our your a an in on at of all every it is are der die das den dem des ein eine einen einem im am mein
  meine meinen meiner meinem unser unsere unserem unseren alle home assistant homeassistant house haus sensors sensor
  devices device things sensoren geräte gerät zuhause`.split(/\s+/),
)

/** A machine is asked about by what it does: these are the states that say it. */
const PROGRESS: ReadonlySet<State> = new Set([
  ...(['running', 'run', 'stop', 'stopped', 'finished', 'finish', 'complete', 'completed', 'done'] as const),
  ...(['ready', 'inactive', 'delayed_start', 'idle', 'paused', 'error', 'standby', 'cleaning'] as const),
  ...(['docked', 'returning'] as const),
])
/** From so many letters on a word is found inside another: `Schlafzimmerfenster`. */
const INSIDE = 4

/** In the order of the installation. `words`: empty for all. */
export function fitting(entities: readonly Entity[], words: string, kind?: Kind): readonly Entity[] {
  const wanted = tokens(words).filter((word) => !FILLER.has(word))
  const fits = entities.filter((entity) => wanted.every((word) => hasWord(entity, word)))
  return kind === undefined ? fits : ofKind(fits, kind)
}

/** Those that a question means: the one whose name is just these words, or all that fit. */
export function meant(entities: readonly Entity[], words: string, kind?: Kind): readonly Entity[] {
  const wanted = tokens(words).filter((word) => !FILLER.has(word))
  if (wanted.length === 0) return []
  const fits = fitting(entities, words, kind)
  const named = fits.filter(({ name }) => tokens(name).join(' ') === wanted.join(' '))
  if (named.length === 1) return named
  // One that says nothing now is another's shadow more often than what is meant.
  const speaking = fits.filter(({ said }) => said.state !== 'unavailable')
  return speaking.length === 1 ? speaking : fits
}

function ofKind(fits: readonly Entity[], kind: Kind): readonly Entity[] {
  const own = fits.filter((one) => one.kind === kind)
  if (own.length > 0) return own
  if (kind === 'temperature')
    return fits.filter(({ domain, said }) => domain === 'climate' && said.value !== undefined)
  if (kind !== 'running') return []
  const machines = fits.filter(({ said }) => said.state !== undefined && PROGRESS.has(said.state))
  return machines.length > 0 ? machines : fits.filter(({ domain }) => domain === 'switch')
}

function hasWord({ name, area, id, kind }: Entity, word: string): boolean {
  if (Object.hasOwn(KIND_WORDS, word) && KIND_WORDS[word] === kind) return true
  const own = tokens(`${name} ${area ?? ''} ${id}`)
  const stem = word.length > INSIDE ? word.replace(/(?:en|s|n)$/, '') : word
  return own.some((token) => token === word || (stem.length >= INSIDE && token.includes(stem)))
}

/** Whatever the case and the accents, in any script. */
function tokens(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/ß/g, 'ss')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
}
