/** What only hardly looks like talk is a request to a model that plans, and what surely is talk costs no plan (DESIGN §10). */
import { expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel } from './world.ts'

const purposes = async (said: string, models: boolean): Promise<readonly string[]> => {
  const model = scriptedModel('local', ({ parts }) => (parts.purpose === 'plan' ? '{"steps":[]}' : 'a text'))
  const world = createWorld({ tools: { ...mailTools(), ...calendarTools() }, models: models ? [model] : [] })
  await world.say(said)
  return world.prompts.map((prompt) => `${prompt.model}:${prompt.parts.purpose}`)
}

it.each(['forget the wine thing, that was somebody else'])(
  '“%s” is planned by a model, at no more than one call of it, and is talk without one',
  async (said) => {
    expect(await purposes(said, true)).toEqual(['local:plan', 'local:synthesize'])
    expect(await purposes(said, false)).toEqual(['rules:synthesize'])
  },
)

it.each(['hello', 'you are funny', 'what a lovely morning', 'Gute Nacht'])(
  '“%s” is answered at once',
  async (said) => {
    expect(await purposes(said, true)).toEqual(['local:synthesize'])
  },
)
