/** `pfar brain`: what is printed, what is sent to home, and that an editor leaves no file (O-09 – O-11). */
import { readdirSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import type { FileView, VersionView } from '../../kernel/features/directives/port.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { type BrainEdit, brainEdit, editText } from '../../sidecar/cli/commands/brain-command.ts'
import { createOpenLink } from '../../sidecar/cli/line/open-link.ts'
import { runProgram } from '../../sidecar/cli/program.ts'
import { newFolder } from '../kit/folder.ts'
import { bench } from './command-bench.ts'
import { approvalWith, type Script } from './scripted-link.ts'

const SOUL: FileView = {
  ...{ name: 'SOUL', kind: 'core', owns: 'tone', mode: 'always', version: 3, at: 0 },
  ...{ size: 300, budget: 1_200, warnings: [] },
}
const TRIPS: FileView = {
  ...{ ...SOUL, name: 'TRIPS', kind: 'user', owns: 'jour\u001b[2Jneys', mode: 'manual' },
  warnings: ['mode_invalid'],
}
const OLD: VersionView = { name: 'SOUL', version: 2, at: 0, text: '# Voice\n' }
const NEW: VersionView = { name: 'SOUL', version: 3, at: 0, text: '# Voice\n- \u001b]0;x\u0007Short.\n' }

async function run(options: BrainEdit, script: Script = {}, typed = '', yes = false) {
  const { context, out, err, link, attached } = bench({ versions: [NEW, OLD], ...script })
  const given: string[] = []
  const code = await brainEdit(context, options, {
    says: async () => yes,
    async write(_, text) {
      given.push(text)
      return ok(typed)
    },
  })
  return { code, out: out.join('\n'), err: err.join('\n'), written: link.written, given, attached }
}

test('pfar brain lists files with their purpose and warnings', async () => {
  const { context, out } = bench({ files: [SOUL, TRIPS] })
  expect(await runProgram(context, ['brain'])).toBe(0)
  expect(out.join('\n')).toBe(
    [
      'SOUL: tone',
      '   always there · version 3 · 300/1200',
      'TRIPS: journeys',
      '   your own · only when you name it · version 3 · 300/1200',
      '   ! its mode is none of always, auto_attached, agent_requested, manual: it comes only when you name it',
    ].join('\n'),
  )
})

test.each<[string, readonly string[], RegExp]>([
  ['the newest', ['show', 'SOUL'], /^# Voice\n- \]0;xShort\.$/],
  ['an earlier one', ['show', 'SOUL', '--version', '2'], /^# Voice$/],
  ['as it is', ['show', 'SOUL', '--version', '2', '--json'], /"text": "# Voice\\n"/],
  ['the versions', ['history', 'SOUL'], /^3\. .+ ago · 2 lines · now\n2\. .+ ago · 1 lines$/],
])('pfar brain shows %s', async (_, args, expected) => {
  const { context, out } = bench({ versions: [NEW, OLD] })
  expect(await runProgram(context, ['brain', ...args])).toBe(0)
  expect(out.join('\n')).toMatch(expected)
})

test.each([
  [['show', 'SOUL', '--version', '0']],
  [['restore', 'SOUL', 'first']],
  [['edit']],
  [['delete', 'SOUL']],
])('%j is wrong usage', async (args) => expect(await runProgram(bench().context, ['brain', ...args])).toBe(2))

describe('edit', () => {
  const EDIT = { name: 'SOUL', cleanup: false, append: false } as const

  it('sends the text with the version that it was based on', async () => {
    const { written, given, out } = await run(EDIT, {}, 'all of it\n')
    expect(given).toEqual([NEW.text])
    expect(written).toEqual([
      {
        name: 'SOUL',
        text: 'all of it\n',
        replaces: 3,
        cleanup: false,
        message: 'm1',
      },
    ])
    expect(out).toBe('SOUL is version 2. It holds from the next message on.')
  })

  it('appends at the end', async () =>
    expect((await run({ ...EDIT, append: true }, {}, '- More.\n')).written).toMatchObject([
      { text: `${NEW.text}- More.\n` },
    ]))

  it('begins a new file with a header', async () => {
    const { written, given } = await run({ ...EDIT, name: 'TRIPS' }, {}, 'x')
    expect([given[0], written]).toEqual([
      expect.stringMatching(/^---\nowns: .+\nmode: agent_requested\n---\n$/),
      [expect.objectContaining({ name: 'TRIPS', replaces: 0 })],
    ])
  })

  it('shows the card if lines would be removed, and changes nothing itself', async () => {
    const asked = ok({ version: null, approval: 'ap1', warnings: [], keptBy: [] })
    const script = { written: asked, approvals: [approvalWith({ full: 'May I change SOUL?' })] }
    const { code, out, err } = await run({ ...EDIT, cleanup: true }, script, 'x')
    expect([code, out]).toEqual([0, 'May I change SOUL?'])
    expect(err).toBe('Nothing is allowed yet. To allow it: pfar approve ap1   To refuse: pfar deny ap1')
  })

  it.each<[ReasonCode, RegExp]>([
    ['directive_shrinks', /^That would take lines out, and nothing was changed\. To do so: .*--cleanup/],
    ['directive_header', /^A file begins with a header .+\n---\nowns: /],
    ['directive_name', /^That cannot be the name of a file\./],
    ['record_stale', /changed meanwhile/],
    ['secret_pasted', /pfar secret set/],
  ])('explains the refusal %s and what to do', async (code, said) => {
    const ran = await run(EDIT, { written: err(code) }, 'x')
    expect([ran.code, ran.out]).toEqual([1, ''])
    expect(ran.err).toMatch(said)
  })

  it.each([
    [true, [false, true]],
    [false, [false]],
  ])('asks before lines are removed, after the text was refused (yes: %s)', async (yes, cleanups) => {
    const { written } = await run(EDIT, { written: err('directive_shrinks') }, 'x', yes)
    expect(written.map((edit) => 'cleanup' in edit && edit.cleanup)).toEqual(cleanups)
  })

  it('warns of text that is too long and of duplicate lines', async () => {
    const written = ok({
      ...{ version: 4, approval: null },
      ...{ warnings: ['over_budget'] as const, keptBy: ['AGENTS'] },
    })
    expect((await run(EDIT, { written }, 'x')).out).toMatch(
      /\n! it is longer than it should be.+\n! .+belong in AGENTS$/,
    )
  })
})

test('restore sends the version with a message id of its own', async () => {
  const { context, link } = bench()
  expect(await runProgram(context, ['brain', 'restore', 'SOUL', '2'])).toBe(0)
  expect(link.written).toEqual([{ name: 'SOUL', version: 2, message: 'm1' }])
})

test('the open line refuses every operation on directive files', async () => {
  const link = createOpenLink({ edge: 'http://127.0.0.1:9', device: {} as never })
  const brain = OPERATIONS.filter(({ name }) => name.startsWith('brain.'))
  expect(brain).toHaveLength(5)
  const answers = await Promise.all(brain.map((one) => link.call(one, {})))
  for (const answer of answers) expect(answer).toEqual(err('approval_place_too_low'))
})

describe('the editor', () => {
  const folder = newFolder('editor')
  const edit = (EDITOR: string) => editText({ PFAR_HOME: folder, EDITOR }, 'before\n')

  it.each<[string, string, object]>([
    ['what it leaves', 'sh -c \'echo after >> "$0"\'', ok('before\nafter\n')],
    ['nothing where it gave up', 'sh -c \'echo after >> "$0"; exit 1\'', err('nothing_found')],
    ['nothing where it changed nothing', 'true', err('nothing_found')],
    ['nothing where there is none', '/nonexistent/editor', err('nothing_found')],
  ])('returns %s, and leaves no file', async (_, editor, expected) => {
    expect(await edit(editor)).toEqual(expected)
    expect(readdirSync(folder).filter((name) => name.endsWith('.md'))).toEqual([])
  })
})
