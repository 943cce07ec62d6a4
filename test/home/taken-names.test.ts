/** Own commands whose names a newer version has taken: the owner is notified once of each, and again only after a rename (O-22). */
import { expect, it } from 'vitest'
import { takenFindings, tellTaken } from '../../sidecar/config/taken-names.ts'
import type { HomeNotes, Note } from '../../sidecar/store/home-notes.ts'
import { createWorld } from '../pipeline/world.ts'

const own = (...names: readonly string[]) => ({
  commands: names.map((name) => ({ name, description: 'x', prompt: 'y', open: false })),
})

function notesInMemory(): HomeNotes {
  const kept = new Map<string, unknown>()
  return {
    read: <K extends Parameters<HomeNotes['read']>[0]>(name: K) => (kept.get(name) ?? null) as Note<K> | null,
    write: (name, value) => void kept.set(name, value),
  }
}

it('each taken name is announced once, and doctor reports it as long as it clashes', async () => {
  const { powers, sent } = createWorld()
  const notes = notesInMemory()
  for (const names of [['fika'], ['stop', 'fika'], ['stop'], ['stop', 'usage'], [], ['stop']])
    await tellTaken({ powers, config: own(...names), notes })
  expect(sent.map(({ text }) => /\/\w+/.exec(text)?.[0])).toEqual(['/stop', '/usage', '/stop'])
  expect([takenFindings(own('fika')), takenFindings(own('stop', 'help')).length]).toEqual([[], 1])
})
