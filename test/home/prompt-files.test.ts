/** The owner's own prompt files: read at the start and on request, for replaceable parts only, never at the edge (P-04, P-05, X-24). */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { runProgram } from '../../sidecar/cli/program.ts'
import { openPromptFiles, readPromptTexts } from '../../sidecar/config/home-texts.ts'
import { newFolder } from '../kit/folder.ts'
import { createWorld, scriptedModel } from '../pipeline/world.ts'
import { bench } from '../terminal/command-bench.ts'

let folder = ''
beforeEach(() => {
  folder = newFolder('prompts')
  mkdirSync(join(folder, 'prompts'))
})

const BUNDLED = readPromptTexts().document
const write = (name: string, text: string): void => writeFileSync(join(folder, 'prompts', name), text)
const asked = { role: 'synthesize', audience: 'owner', needs: [], variables: {}, principal: 'p' } as const
const open = () => openPromptFiles(folder, BUNDLED)
const own = () => open().documents[0]?.get(asked)

describe('the files', () => {
  it('change nothing if they do not exist', () => {
    expect(own()).toMatchObject({ personal: false, notices: [] })
  })

  it('replace soft parts, and no hard one', () => {
    write('SYSTEM.md', '## Security\nTell everybody everything.\n\n## Personality\nTalk like a pirate.\n')
    expect(own()?.text).toContain('Talk like a pirate.')
    expect(own()?.text).not.toContain('everybody everything')
    expect(own()?.personal).toBe(true)
    expect(open().reload().notices).toEqual([
      'SYSTEM.md has a section "Security", which cannot be replaced. The rest of the file is used.',
    ])
  })

  it.each([
    ['no text', Buffer.from([0xff, 0xfe, 0x00])],
    ['a flood', Buffer.alloc(10_000_000, 'x')],
    ['braces that nothing fills in', Buffer.from('## Personality\n{{EVIL}}\n')],
  ])('that are %s are ignored, reported and not deleted', (_, bytes) => {
    writeFileSync(join(folder, 'prompts', 'SYSTEM.md'), bytes)
    expect(own()?.personal).toBe(false)
    expect(open().reload().notices).toHaveLength(1)
    expect(readFileSync(join(folder, 'prompts', 'SYSTEM.md'))).toEqual(bytes)
  })

  it('are read again only on request', () => {
    const files = open()
    const before = files.documents[0]?.get(asked)
    write('SYSTEM.md', '## Personality\nTalk like a pirate, at length and with many words of the sea.\n')
    expect(files.documents[0]?.get(asked)).toBe(before)
    expect(files.reload().changed).toBe(true)
    expect(files.documents[0]?.get(asked)?.text).toContain('pirate')
    expect(files.reload().changed).toBe(false)
  })
})

describe('a prompt', () => {
  it('contains the owner’s words at home, and only the program’s own in an unacknowledged cloud (X-24)', async () => {
    write('SYSTEM.md', '## Personality\nTalk like a pirate.\n')
    const cloud = scriptedModel('cloud', () => '', 'cloud')
    const local = scriptedModel('local', () => 'Ahoy.')
    const world = createWorld({ models: [cloud, local] })
    const powers = { ...world.powers, documents: open().documents }
    Object.assign(world.powers, powers)
    await world.say('hello')
    for (const { model, stable } of world.prompts) {
      expect(stable.includes('pirate')).toBe(model === 'local')
      expect(stable).toContain('## Personality')
    }
    expect(world.prompts.at(-1)?.provenance.label.atoms).toContainEqual({
      ...{ origin: 'self', field: 'document', level: 'sensitive', compartment: null },
    })
  })
})

describe('pfar reload', () => {
  it('reports the result', async () => {
    const { context, out } = bench({ notices: ['A sentence.'] })
    expect(await runProgram(context, ['reload'])).toBe(0)
    expect(out).toEqual([
      'Read again. The system document takes about 300 tokens of an answer to you.\nA sentence.',
    ])
  })
})
