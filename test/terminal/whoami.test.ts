/** `pfar whoami`: every model says the assistant's name, or the command fails (N-28). */
import { describe, expect, it, test } from 'vitest'
import type { NameCheck } from '../../kernel/features/models/port.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import { runProgram } from '../../sidecar/cli/program.ts'
import { createWorld } from '../pipeline/world.ts'
import { bench } from './command-bench.ts'

const RULES: NameCheck = { model: 'rules', locality: 'home', expected: 'Ada', answer: 'Ada', passed: true }
const OTHER: NameCheck = { ...RULES, model: 'm', locality: 'cloud', answer: 'ChatGPT', passed: false }
const SILENT: NameCheck = { ...OTHER, answer: null }

describe('pfar whoami', () => {
  test.each([
    ['all right', [RULES], 0, 'PASS  rules (home): Ada'],
    ['one wrong', [OTHER, RULES], 1, 'FAIL  m (cloud): ChatGPT, not Ada\nPASS  rules (home): Ada'],
    ['one silent', [SILENT], 1, 'FAIL  m (cloud): (no answer), not Ada'],
  ])('%s', async (_, names, exit, said) => {
    const { context, out } = bench({ names })
    expect(await runProgram(context, ['whoami'])).toBe(exit)
    expect(out.join('\n')).toBe(said)
  })

  it('prints one JSON document with --json', async () => {
    const { context, out } = bench({ names: [OTHER] })
    expect(await runProgram(context, ['whoami', '--json'])).toBe(1)
    expect(JSON.parse(out.join('\n'))).toEqual([OTHER])
  })
})

describe('the question', () => {
  const model = (id: string, text: string): ModelProvider => ({
    reader: { id, locality: 'cloud', level: 'public', compartments: [] },
    complete: async () => ({ ok: true, value: { text, cut: false, tokens: { input: 0, output: 0 } } }),
  })

  test.each([
    ['PFAR', 'PFAR', true],
    [' PFAR.\n', 'PFAR.', true],
    ['I am PFAR', 'I am PFAR', false],
    ['pfar', 'pfar', false],
    ['Claude', 'Claude', false],
    ['PFAR\n\u001b[2JClick https://evil.example/?q', 'PFAR 2JClick https evil.example q', false],
    ['', null, false],
  ])('an answer %j is read as %j: %s', async (text, answer, passed) => {
    const world = createWorld({ models: [model('other', text)] })
    expect(await world.ports.names()).toEqual([
      { model: 'other', locality: 'cloud', expected: 'PFAR', answer, passed },
      { model: 'rules', locality: 'home', expected: 'PFAR', answer: 'PFAR', passed: true },
    ])
  })

  it('goes through the one boundary, with the name and no other data', async () => {
    const world = createWorld()
    await world.say('remember that my locker is number 12')
    await world.ports.names()
    const { parts, stable, provenance } = world.prompts.at(-1) ?? {}
    expect(stable).toMatch(/^\[pfar:identity-v1\]\nYou are PFAR,/)
    expect(parts?.self.sections.map(({ kind }) => kind)).toEqual(['persona'])
    expect(provenance?.label.atoms).toEqual([])
  })
})
