/** What help says that one can say is read: every whole example of every tool's help, in every language, becomes a plan with that action. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, it, test } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { wholeSentence } from '../../integrations/extractors/message/message-learned.ts'
import type { Phrase } from '../../integrations/tools/phrase.ts'
import { TOOL_MANIFESTS, TOOL_PHRASES } from '../../integrations/tools/registered.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'

const TOOLS = join(import.meta.dirname, '../../integrations/tools')
const QUOTED = /"([^"]+)"|„([^“]+)“/g
/** Between examples, and about the moment in which one is said. Anything else is a part of a sentence that the owner fills in. */
const BETWEEN = /^(?:[\s,]|\b(?:or|oder|then|dann)\b|after it was shown|nachdem er gezeigt wurde|\(.*\))*$/i

interface Example {
  readonly action: string
  readonly language: string
  readonly said: string
  /** After another example: "then". */
  readonly follows: boolean
}

interface Help {
  readonly action: string
  readonly language: string
  readonly help: string
}

const HELPS: readonly Help[] = readdirSync(TOOLS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) =>
    readdirSync(join(TOOLS, name, 'words'), 'utf8').flatMap((file) =>
      Object.entries(parse(readFileSync(join(TOOLS, name, 'words', file), 'utf8'))).flatMap(
        ([action, words]) => {
          const { help } = words as { readonly help?: unknown }
          const language = file.replace('.toml', '')
          return typeof help === 'string' ? [{ action: `${name}.${action}`, language, help }] : []
        },
      ),
    ),
  )

/** The examples of a help; none if it says them in parts: "read", and its address. */
function examplesOf({ action, language, help }: Help): readonly Example[] {
  const said = [...help.matchAll(QUOTED)].map(({ 1: english, 2: german, index }) => ({
    said: english ?? german ?? '',
    follows: /(?:then|dann) $/.test(help.slice(0, index)),
  }))
  const around = (
    help
      .split(/: (?=["„])/)
      .slice(1)
      .join(': ') || '?'
  ).replace(QUOTED, ' ')
  return BETWEEN.test(around) ? said.map((one) => ({ action, language, ...one })) : []
}

const EXAMPLES = HELPS.flatMap(examplesOf)

/** The actions that one is said for: itself, what looks it up for its card, and what is of another package's family. */
function meantBy(action: string): readonly string[] {
  const [tool = '', name = ''] = action.split('.')
  const own = TOOL_MANIFESTS.find((manifest) => manifest.name === tool)?.actions ?? []
  const looked = own.filter((one) => JSON.stringify(one).includes(`"by":"${action}"`)).map(({ id }) => id)
  return [...own.map(({ id }) => id).filter((id) => id.endsWith(`.${name}`)), ...looked]
}

/** A plan with the action; or, of what was shown or done before, the sentence of its package, which lacks nothing but that. */
function isRead({ action, said, follows }: Example): boolean {
  const meant = meantBy(action)
  // What is set up by talking is an operation, which looks there itself.
  if (operationInMessage(said) !== null) return true
  const { calls, intent, explanation } = readingOf(said)
  if (calls.some(({ tool }) => meant.includes(tool))) return true
  const phrases = TOOL_PHRASES[TOOL_MANIFESTS.findIndex(({ name }) => name === action.replace(/\..*/, ''))]
  if (phrases === undefined) throw new Error(`no package of ${action}`)
  const isMeant = ({ plan }: Phrase): boolean => plan.some(({ tool }) => meant.includes(String(tool)))
  // Steps with contacts are offered in a conversation alone.
  const ofContacts = ({ plan }: Phrase): boolean => plan.some(({ tool }) => /^contact\./.test(String(tool)))
  const isOfBefore = (phrase: Phrase): boolean =>
    [phrase.shown, phrase.picks, phrase.back, phrase.among].some((one) => one !== undefined)
  // The names that the owner gave are not known here.
  if (phrases.called !== undefined && meant.includes(phrases.called.tool)) return true
  const whole = wholeSentence([phrases], said) ?? wholeSentence(TOOL_PHRASES, said)
  // Somebody who is no contact here, or a step that only a conversation offers; what follows an example is of another action of the package.
  if (whole !== null && isMeant(whole.phrase))
    return (
      isOfBefore(whole.phrase) || ofContacts(whole.phrase) || !/^needs_|^not_understood$/.test(explanation)
    )
  if (whole !== null && follows) return isOfBefore(whole.phrase)
  return phrases.asks.some((one) => one.intent === intent && isMeant(one) && isOfBefore(one))
}

test('nobody is told that mail is not forwarded', () => {
  for (const language of ['en', 'de']) {
    const words = readFileSync(join(TOOLS, `../models/rules/words/${language}.toml`), 'utf8')
    expect(words).not.toMatch(/cannot forward|weiterleiten kann ich nicht/)
  }
})

describe('help', () => {
  it('has examples of nearly every action', () => {
    expect(EXAMPLES.length).toBeGreaterThan(120)
    for (const language of ['en', 'de'])
      expect(
        new Set(EXAMPLES.filter((one) => one.language === language).map(({ action }) => action)).size,
      ).toBeGreaterThan(55)
  })

  test.each(EXAMPLES.map((one) => [one.action, one.said, one] as const))('%s: “%s” is read', (_, __, one) => {
    expect(isRead(one)).toBe(true)
  })
})
