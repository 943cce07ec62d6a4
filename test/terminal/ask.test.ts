/** Waiting for an answer: what settles a task, and what happens when a place becomes unreachable meanwhile. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { ask, follow, type Patience } from '../../sidecar/cli/chat/ask.ts'
import { keepShown, shownAnswer } from '../../sidecar/cli/chat/shown-card.ts'
import { newFolder } from '../kit/folder.ts'
import { reportWith, scriptedLink } from './scripted-link.ts'

function patience(recover: () => Promise<Result<true>> = async () => ok(true)): Patience {
  return { deadline: Date.now() + 2_000, onWait: () => undefined, recover }
}

describe('a task is settled', () => {
  test.each([
    ['when completed', reportWith({}), undefined, true],
    ['when failed, though nothing was said', reportWith({ state: 'failed' }, null), undefined, true],
    ['when cancelled', reportWith({ state: 'cancelled' }), undefined, true],
    [
      'when its card is out',
      reportWith({ state: 'awaiting_approval', approval: 'a' }, 'Card'),
      undefined,
      true,
    ],
    [
      'not before the card has words',
      reportWith({ state: 'awaiting_approval', approval: 'a' }, null),
      undefined,
      false,
    ],
    [
      'not by the card just decided',
      reportWith({ state: 'awaiting_approval', approval: 'a' }, 'Card'),
      'a',
      false,
    ],
    ['by the next card', reportWith({ state: 'awaiting_approval', approval: 'b' }, 'Card'), 'a', true],
    ['not while home is awaited', reportWith({ state: 'awaiting_home' }, 'Home sleeps'), undefined, false],
    [
      'by the question whether to wait for home',
      reportWith({ state: 'awaiting_home', approval: 'a' }, 'Home is away. Shall I …?'),
      undefined,
      true,
    ],
    [
      'by the notice that it waits for home',
      reportWith({ state: 'awaiting_home', trouble: 'home_offline' }, 'Home is away.'),
      undefined,
      true,
    ],
    ['not while it executes', reportWith({ state: 'executing' }, null), undefined, false],
  ])('%s', async (_name, report, past, settled) => {
    const link = scriptedLink({ reports: [ok(report)] })
    const waiting = { ...patience(), deadline: Date.now() + 60, ...(past === undefined ? {} : { past }) }
    const result = await follow(link, 't1', waiting)
    expect(result).toEqual(settled ? ok(report) : err('task_stuck', { task: 't1' }))
  })
})

describe('a place that becomes unreachable', () => {
  test('gets the message again under the same id', async () => {
    const link = scriptedLink({
      sends: [err('home_offline'), err('home_offline'), ok({ task: 't1' })],
    })
    let recovered = 0
    const result = await ask(
      link,
      'hi',
      patience(async () => {
        recovered += 1
        return ok(true)
      }),
    )
    expect(result.ok).toBe(true)
    expect(recovered).toBe(2)
    expect(link.sent).toHaveLength(3)
    expect(new Set(link.sent.map(({ id }) => id)).size).toBe(1)
    expect(link.sent[0]?.id).toMatch(/^[a-z0-9]{32}$/)
  })
  test('does not lose a task that was already sent', async () => {
    const link = scriptedLink({ reports: [err('home_offline'), ok(reportWith({}))] })
    expect((await ask(link, 'hi', patience())).ok).toBe(true)
    expect(link.sent).toHaveLength(1)
  })
  test('ends the wait with its reason if it cannot be restarted', async () => {
    const link = scriptedLink({ sends: [err('home_offline')] })
    expect(
      await ask(
        link,
        'hi',
        patience(async () => err('config_malformed')),
      ),
    ).toEqual(err('config_malformed'))
  })
  test('is distinguished from a home that the edge cannot reach', async () => {
    const link = scriptedLink({ line: 'open', sends: [err('home_offline')] })
    const recover = async () => Promise.reject(new Error('must not be asked'))
    expect(await ask(link, 'hi', patience(recover))).toEqual(err('home_offline'))
  })
})

describe('the card that was shown last', () => {
  const path = join(newFolder('shown'), 'shown-card')
  const CARD = { approval: 'a1b2', options: 0 }

  test('is what a bare yes or no answers, on its own line', () => {
    keepShown(path, 'private', CARD)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(shownAnswer(path, 'private', 'yes')).toEqual({ decision: 'approve', approval: 'a1b2' })
    expect(shownAnswer(path, 'private', 'No.')).toEqual({ decision: 'deny', approval: 'a1b2' })
    expect(shownAnswer(path, 'open', 'yes')).toBeNull()
  })

  test('is answered by nothing else', () => {
    keepShown(path, 'private', CARD)
    for (const words of ['yes, on Friday', 'yes 3', 'no, on Friday', 'approve', '/approve c3'])
      expect(shownAnswer(path, 'private', words)).toBeNull()
  })

  test('takes the number of an option that it has', () => {
    keepShown(path, 'private', { ...CARD, options: 3 })
    expect(shownAnswer(path, 'private', '2')).toEqual({ decision: 'approve', approval: 'a1b2.2' })
    for (const words of ['0', '4', '2 of them', '23']) expect(shownAnswer(path, 'private', words)).toBeNull()
    keepShown(path, 'private', CARD)
    expect(shownAnswer(path, 'private', '1')).toBeNull()
  })

  test('is forgotten with the next answer', () => {
    keepShown(path, 'private', CARD)
    keepShown(path, 'private', null)
    expect(shownAnswer(path, 'private', 'yes')).toBeNull()
    keepShown(path, 'private', null)
  })

  test('costs no answer where the disk takes nothing', () => {
    expect(() => keepShown(join(path, 'no', 'folder'), 'open', CARD)).not.toThrow()
  })
})
