/**
 * A question that no tool answers is asked of memory where two of its telling words stand in one thing that the owner told, before words would leave for a
 * search. Fewer words, somebody else's words and another tool's question are nothing of memory.
 */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, type World } from './world.ts'

const found: ScriptedTool = () => ({ ok: true, output: { results: [], more: false } })

async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({ tools: { ...mailTools(), ...calendarTools(), 'web.search': found } })
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

const KEY = 'merk dir: der Schlüssel für den Heizungskeller hängt bei Frau Petersen'
const SHOP = 'remember that the wholesaler closes at 2 on saturdays'
const LILIES = 'remember that Mrs Hendricks is allergic to lilies'
const ALARM = 'remember that the alarm code of the shop is lantern-4471'
const searched = ({ calls }: World) => calls.some((one) => JSON.stringify(one).includes('web.search'))

describe('found in what was told', () => {
  it.each([
    ['wo hängt der schlüssel vom heizungskeller?', /Frau Petersen/],
    ['bei wem ist denn der schlüssel für den heizungskeller?', /Frau Petersen/],
    ["why can't Mrs Hendricks have lilies?", /allergic/],
    ['when does the wholesaler close on saturday?', /closes at 2/],
    ['until when is the wholesaler open, when does he close?', /closes at 2/],
  ])('%s', async (said, told) => {
    const of = await given(KEY, SHOP, LILIES, ALARM)
    await of.say(said)
    expect(of.heard()).toMatch(told)
    expect(of.heard().match(/^- /gm)).toHaveLength(1)
    expect(searched(of)).toBe(false)
  })
})

describe('not found there', () => {
  it.each([
    'when does the pharmacy close on saturday?',
    'search the web for when the wholesaler closes',
    'what is on saturday?',
    'why is the sky blue?',
  ])('%s', async (said) => {
    const of = await given(KEY, SHOP, LILIES, ALARM)
    await of.say(said)
    expect(of.heard()).not.toMatch(/Petersen|closes at 2|allergic|lantern-4471/)
  })
})
