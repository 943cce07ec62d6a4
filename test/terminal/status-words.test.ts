/**
 * What `pfar status` says to a person: what runs, what waits and what to do, without measures, ids of tools
 * or what is not there.
 */
import { afterEach, expect, it } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { statusWords } from '../../sidecar/cli/chat/status-words.ts'

const HOME = {
  ...{
    place: 'home',
    version: 14,
    tunnel: 'up',
    tunnelTrouble: null,
    rttMs: 13,
    edge: 'http://127.0.0.1:8787',
  },
  ...{ masterKey: 'in the keychain', homeKey: 'home key 6b9e', tools: ['email.list', 'web.read'] },
  ...{ secrets: ['google [redacted] v2 proven', 'notion [redacted] v1 unproven'], missing: [] },
  ...{ notConnected: 'notion (`pfar connect`)', tasks: 0, approvals: 2, waiting: [] },
  ...{
    approvalsPerDay: ['7 × write free text'],
    memoryMb: 113_811_382,
    sandbox: 'ready',
    backupTrouble: null,
  },
}

afterEach(() => speak('en'))

it('says what a person can do something with, and nothing that only a machine reads', () => {
  const text = statusWords(HOME)
  expect(text.split('\n')[0]).toBe('Home box, on this machine')
  expect(text).toMatch(/^link to the edge: +connected to http:\/\/127/m)
  expect(text).toMatch(/^for your yes: +2 \(`.*pfar approvals|^for your yes: +2 \(`/m)
  expect(text).toMatch(/^accounts: +google, notion \(unproven\)$/m)
  expect(text).not.toMatch(
    /rtt|version|email\.list|free text|redacted|none|ready|113811382|113,811,382|home key|under way/,
  )
})

it('says that the link is down, and why', () => {
  const down = {
    ...HOME,
    tunnel: 'down',
    tunnelTrouble: 'edge_not_pinned',
    tunnelSays: 'That edge is another one.',
  }
  expect(statusWords(down)).toMatch(
    /not connected to http.*I keep trying[\s\S]*\ntrouble: +That edge is another one\./,
  )
})

it('leaves nothing out that it does not know', () => {
  expect(statusWords({ ...HOME, newTrouble: 'the disk is full' })).toMatch(
    /^new trouble: +the disk is full$/m,
  )
})

it('has German labels', async () => {
  await speak('de')
  const text = statusWords(HOME)
  expect(text.split('\n')[0]).toBe('Heimgerät, auf diesem Rechner')
  expect(text).toMatch(/^Konten: +google/m)
  expect(text).toMatch(/^für dein Ja: +2 /m)
})
