/**
 * The law of identity links (F-15, F-16): who can be linked, what a code does and what it does not, and the
 * class of both.
 */
import { describe, expect, it } from 'vitest'
import {
  classInLinks,
  codeInMessage,
  enterCode,
  type IdentityLink,
  isOver,
  LINK_CODE_LIFE,
  type LinkState,
  linkedChatsOf,
  MAX_WRONG_CODES,
  partnersOf,
  startLink,
} from '../../kernel/task/identity-link.ts'
import { classOf, type PrincipalClass } from '../../kernel/task/principal.ts'
import { codeOf, NOW } from './fixtures.ts'

const BOB = 'principal:telegram:peer:bob'
const U1 = 'principal:slack:W1:D1:U1'
const EVE = 'principal:telegram:peer:eve'
const OWNER = 'principal:owner'
const CODE_A = 'AAAA-AAAA-AAAA'
const CODE_B = 'BBBB-BBBB-BBBB'

const CHATS: Readonly<Record<string, string>> = {
  [BOB]: 'sink:telegram:bob',
  [U1]: 'sink:slack:W1:D1',
  [EVE]: 'sink:telegram:eve',
  [OWNER]: 'sink:terminal:owner',
}

function begun(one = BOB, other = U1, id = 'l1') {
  const ends = [
    { principal: one, code: CODE_A },
    { principal: other, code: CODE_B },
  ]
  return startLink({ id, message: 'm1', ends, now: NOW })
}

function link(one = BOB, other = U1, id = 'l1'): IdentityLink {
  const started = begun(one, other, id)
  if (!started.ok) throw new Error(started.reason.code)
  return started.value
}

function say(to: IdentityLink, principal: string, code: string, now = NOW): IdentityLink {
  return enterCode(to, { principal, code, sink: CHATS[principal] ?? '', now })
}

function live(one: string, other: string, state: LinkState = 'live'): IdentityLink {
  return { ...say(say(link(one, other), one, CODE_A), other, CODE_B), state }
}

describe('who can be linked', () => {
  it.each([
    ['two accounts of one friend', BOB, U1, 'ok'],
    ['the owner and an account of his', OWNER, BOB, 'ok'],
    ['one with himself', BOB, BOB, 'principal_not_allowed'],
    ['the owner’s two lines, which are one principal', OWNER, OWNER, 'principal_not_allowed'],
    ['a group', BOB, 'principal:telegram:group:g1', 'principal_not_allowed'],
    ['a job', 'principal:cron:digest', BOB, 'principal_not_allowed'],
    ['a webhook', 'principal:webhook:github', BOB, 'principal_not_allowed'],
    ['no principal', 'bob', U1, 'principal_malformed'],
    ['a name that is not canonical', 'principal:telegram:peer:b ob', U1, 'principal_malformed'],
  ])('%s: %s and %s', (_, one, other, code) => {
    expect(codeOf(begun(one, other))).toBe(code)
  })

  it('keeps no code', () => {
    expect(JSON.stringify(link())).not.toMatch(/AAAA|BBBB/)
  })
})

describe('a message that is a code', () => {
  it.each([
    ['link AAAA-AAAA-AAAA', 'AAAA-AAAA-AAAA'],
    ['  Link aaaa-bbbb-cccc \n', 'aaaa-bbbb-cccc'],
    ['link this that them', null],
    ['please link AAAA-AAAA-AAAA', null],
    ['link AAAA-AAAA-AAAA now', null],
    ['link AAAA-AAAA', null],
    ['AAAA-AAAA-AAAA', null],
    ['> link AAAA-AAAA-AAAA', null],
  ])('%j is %j', (text, code) => {
    expect(codeInMessage(text)).toBe(code)
  })
})

describe('a code', () => {
  it('proves the end that it was made for, in the chat where it was said', () => {
    const half = say(link(), BOB, 'aaaa-aaaa-aaaa')
    expect([half.state, half.ends.map(({ sink }) => sink)]).toEqual(['asked', ['sink:telegram:bob', null]])
    const whole = say(half, U1, CODE_B)
    expect([whole.state, whole.ends[1].sink]).toEqual(['proven', 'sink:slack:W1:D1'])
  })

  it.each([
    ['of the other end', say(link(), BOB, CODE_B), 1],
    ['that is wrong', say(link(), BOB, 'CCCC-CCCC-CCCC'), 1],
    ['that is none', say(link(), BOB, 'nonsense'), 1],
    ['said by somebody else', say(link(), EVE, CODE_A), 0],
    ['said by the owner, who is no end', say(link(), OWNER, CODE_A), 0],
  ])('%s proves nothing', (_, after, wrong) => {
    expect([after.state, after.ends.map(({ sink }) => sink)]).toEqual(['asked', [null, null]])
    expect(after.ends[0].wrong).toBe(wrong)
  })

  it('of one link is worth nothing for another of the same two', () => {
    const started = startLink({
      ...{ id: 'l2', message: 'm', now: NOW },
      ends: link().ends.map(({ principal }, at) => ({
        principal,
        code: ['CCCC-CCCC-CCCC', 'DDDD-DDDD-DDDD'][at] ?? '',
      })),
    })
    expect(started.ok && say(started.value, BOB, CODE_A).ends[0].sink).toBe(null)
    expect(link().ends[0].code).not.toBe(link(BOB, U1, 'l2').ends[0].code)
  })

  it('counts once: the same code again changes nothing', () => {
    const half = say(link(), BOB, CODE_A)
    expect(say(half, BOB, CODE_A)).toBe(half)
    expect(say(half, BOB, CODE_B)).toBe(half)
  })

  it('expires', () => {
    const open = link()
    expect(say(open, BOB, CODE_A, NOW + LINK_CODE_LIFE - 1).ends[0].sink).toBe('sink:telegram:bob')
    expect(say(open, BOB, CODE_A, NOW + LINK_CODE_LIFE)).toBe(open)
    expect([isOver(open, NOW + LINK_CODE_LIFE - 1), isOver(open, NOW + LINK_CODE_LIFE)]).toEqual([
      false,
      true,
    ])
  })

  it('is given up after too many wrong ones, the right one with it', () => {
    let tried = link()
    for (let n = 0; n < MAX_WRONG_CODES - 1; n += 1) tried = say(tried, BOB, CODE_B)
    expect(tried.state).toBe('asked')
    tried = say(tried, BOB, CODE_B)
    expect(tried.state).toBe('ended')
    expect(say(tried, BOB, CODE_A)).toBe(tried)
  })

  it.each<LinkState>(['proven', 'live', 'ended', 'removed'])('does nothing to a link that is %s', (state) => {
    const other = { ...link(), state }
    expect(say(other, BOB, CODE_A)).toBe(other)
  })
})

describe('a link', () => {
  it.each<[LinkState, readonly string[], number]>([
    ['asked', [], 0],
    ['proven', [], 0],
    ['live', [U1], 1],
    ['ended', [], 0],
    ['removed', [], 0],
  ])('that is %s leads to %j', (state, partners, chats) => {
    const links = [live(BOB, U1, state)]
    expect(partnersOf(links, BOB)).toEqual(partners)
    expect(linkedChatsOf(links)).toHaveLength(chats)
  })

  it('is between two: a friend of a friend is nobody', () => {
    const links = [live(BOB, U1), live(U1, EVE)]
    expect(partnersOf(links, BOB)).toEqual([U1])
    expect(partnersOf(links, U1)).toEqual([BOB, EVE])
  })
})

describe('the class of two that are linked', () => {
  it.each<[string, string, readonly string[], PrincipalClass, PrincipalClass]>([
    [BOB, U1, [], 'third_party', 'third_party'],
    [BOB, U1, [U1], 'third_party', 'third_party'],
    [BOB, U1, [BOB], 'third_party', 'third_party'],
    [BOB, U1, [BOB, U1], 'paired', 'paired'],
    [OWNER, BOB, [], 'owner', 'third_party'],
    [OWNER, BOB, [BOB], 'owner', 'paired'],
  ])('%s and %s, paired %j: %s and %s', (one, other, paired, first, second) => {
    const directory = { paired }
    const links = [live(one, other)]
    const classes = [one, other].map((id) =>
      classInLinks({ id, class: classOf(id, directory) }, links, directory),
    )
    expect(classes).toEqual([first, second])
  })

  it('is that of the account itself again once the link is removed', () => {
    const directory = { paired: [U1] }
    const links = [live(BOB, U1, 'removed')]
    expect(classInLinks({ id: U1, class: 'paired' }, links, directory)).toBe('paired')
  })

  it('leaves jobs and webhooks what they are', () => {
    for (const one of ['cron', 'webhook'] as const)
      expect(classInLinks({ id: `principal:${one}:x`, class: one }, [live(BOB, U1)], { paired: [] })).toBe(
        one,
      )
  })
})
