/** An update is told once (O-61), with what changed of the shipped templates; a first start and a file that changes under one version are not. */
import { beforeEach, expect, it, test } from 'vitest'
import { ok } from '../../kernel/flow/verdict.ts'
import { skipHistory } from '../../sidecar/cli/chat/news.ts'
import { shippedDigests } from '../../sidecar/config/home-texts.ts'
import { softwareVersion } from '../../sidecar/process/version.ts'
import { tellUpdated } from '../../sidecar/status/updated.ts'
import type { Note } from '../../sidecar/store/home-notes.ts'
import { createWorld, type World } from '../pipeline/world.ts'

type Software = Note<'software'>

const OLD: Software = {
  version: '0.1.0',
  files: { 'tasks/owner_private.toml': 'a', 'jobs/digest.toml': 'b', 'prompts/plan.md': 'c' },
}

let noted: Software | null
let of: World

beforeEach(() => {
  noted = OLD
  of = createWorld({ pushes: true })
})

async function start(software: Software): Promise<string> {
  const before = of.sent.length
  const done = await tellUpdated({
    ...{ powers: of.powers, software },
    notes: {
      read: () => noted as never,
      write: (_, value) => {
        noted = value as Software
      },
    },
  })
  if (!done.ok) throw new Error(done.reason.code)
  await of.shell.tick()
  return of.sent
    .slice(before)
    .map(({ text }) => text)
    .join('\n')
}

const files = (change: Record<string, string>): Software['files'] => ({ ...OLD.files, ...change })

test('another version is told once, with the templates whose bytes changed', async () => {
  const next = { version: '0.2.0', files: files({ 'jobs/digest.toml': 'other', 'tasks/new_one.toml': 'd' }) }
  expect(await start(next)).toBe(
    'Updated from version 0.1.0 to 0.2.0. Kinds of task and prompts that came with it changed: digest, new one. Templates of your own stay as they are.',
  )
  expect(noted).toEqual(next)
  expect(await start(next)).toBe('')
})

test('one that changes no template says the versions alone, and going back is told as well', async () => {
  expect(await start({ ...OLD, version: '0.1.1' })).toBe('Updated from version 0.1.0 to 0.1.1.')
  expect(await start(OLD)).toBe('Updated from version 0.1.1 to 0.1.0.')
})

it.each<[string, Software | null, Software]>([
  ['a first start', null, OLD],
  ['the same as before', OLD, OLD],
  ['a file that changes under one version', OLD, { ...OLD, files: files({ 'prompts/plan.md': 'x' }) }],
])('%s is not told', async (_, before, now) => {
  noted = before
  expect(await start(now)).toBe('')
  expect(noted).toEqual(now)
})

test('a template that goes is one that changed, and a long list is cut', async () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`tasks/t${at}.toml`, 'x']))
  const said = await start({ version: '0.2.0', files: many })
  expect(said).toContain('digest')
  expect(said).toMatch(/, \+ 11\. /)
})

test('what is shipped has a digest for each file, and the version is that of package.json', () => {
  expect(Object.keys(shippedDigests())).toContain('tasks/owner_private.toml')
  expect(new Set(Object.values(shippedDigests())).size).toBe(Object.keys(shippedDigests()).length)
  expect(softwareVersion()).toMatch(/^\d+\.\d+\.\d+$/)
})

test('a chat in a terminal that begins after the start shows it still', async () => {
  const rows = ['updated:1', `updated:${Date.now()}`, 'credential-due:1'].map((id, at) => ({
    ...{ seq: at + 1, id, text: id },
  }))
  const link = { deliveries: async (after: number) => ok(rows.filter(({ seq }) => seq > after)) }
  expect(await skipHistory(link as never)).toEqual({ cursor: 3, news: [rows[1]?.id] })
})
