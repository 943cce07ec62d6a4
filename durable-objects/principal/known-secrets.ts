/**
 * The secrets that the edge itself holds, for the output guard and for redaction of prompts (E-18, D-05): its own keys, in the
 * spellings that a program or a model might use, the API keys of its models, and its bot's credentials. The edge holds no
 * integration's credential in plaintext. Must not write or return a key. Called by powers.ts.
 */
import { createNeedles, type KnownSecrets } from '../../kernel/wording/guard/needles.ts'
import { replaceSpans } from '../../kernel/wording/guard/spans.ts'
import type { EdgeSettings } from '../platform/env.ts'

type Keys = Pick<
  EdgeSettings,
  'sealKey' | 'tokenKey' | 'nameKey' | 'signKey' | 'firstCode' | 'models' | 'bot'
>

const listOf = new WeakMap<Keys, KnownSecrets>()

export function edgeSecrets(settings: Keys): KnownSecrets {
  const known = listOf.get(settings)
  if (known !== undefined) return known
  const needles = createNeedles()
  const { sealKey, tokenKey, nameKey, signKey, firstCode } = settings
  const keys = { sealKey, tokenKey, nameKey, signKey, ...(firstCode !== null && { firstCode }) }
  for (const [name, bytes] of Object.entries(keys))
    for (const spelling of spellingsOf(bytes)) needles.add(name, spelling)
  for (const [name, key] of textKeys(settings))
    for (const spelling of textSpellings(key)) needles.add(name, spelling)
  const list = { find: needles.findSplit, names: needles.names, unfinished: needles.unfinished }
  listOf.set(settings, list)
  return list
}

/** Removes these secrets from a text before a model reads it. */
export function edgeRedact(settings: Keys): (text: string) => string {
  const known = edgeSecrets(settings)
  return (text) => replaceSpans(text, known.find(text), REDACTED)
}

/** Secrets that are text, with their names. */
function textKeys({ models, bot }: Pick<Keys, 'models' | 'bot'>): readonly (readonly [string, string])[] {
  return [
    ...models.providers.flatMap(({ name, key }) => (key === null ? [] : [[name, key] as const])),
    ...(bot.channel?.secrets ?? []),
  ]
}

const REDACTED = '[redacted]'

function textSpellings(key: string): readonly string[] {
  return [key, [...key].toReversed().join(''), btoa(key).replace(/=+$/, '')]
}

function spellingsOf(key: Uint8Array): readonly string[] {
  const base64 = btoa(String.fromCharCode(...key)).replace(/=+$/, '')
  const url = base64.replaceAll('+', '-').replaceAll('/', '_')
  const hex = [...key].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const plain = [base64, url, hex]
  return [...plain, ...plain.map((text) => [...text].toReversed().join(''))]
}
