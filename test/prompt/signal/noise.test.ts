/** What needs no model, and what is never dropped (P-29). */
import { describe, expect, it } from 'vitest'
import { NOISE_MOST, noiseOf } from '../../../kernel/prompt/signal/signal.ts'

const NOISE = [
  ['ok', 'acknowledgement'],
  ['OK.', 'acknowledgement'],
  ['Got it!', 'acknowledgement'],
  ['great', 'acknowledgement'],
  ['thanks', 'thanks'],
  ['Thank you so much!', 'thanks'],
  ['ok, thanks', 'thanks'],
  ['👍', 'emoji'],
  ['👍🏽 🎉', 'emoji'],
  ['❤️', 'emoji'],
  ['👩‍🚀', 'emoji'],
  [':-)', 'emoji'],
  ['   ', 'empty'],
  ['…', 'empty'],
] as const

describe('a trivial message', () => {
  it.each(NOISE)('%j is noise: %s', (text, kind) => {
    expect(noiseOf(text, { pending: false })).toBe(kind)
  })

  it.each(NOISE)('%j is an answer while one is awaited', (text) => {
    expect(noiseOf(text, { pending: true })).toBeNull()
  })
})

describe('never noise', () => {
  it.each([
    ['yes'],
    ['no'],
    ['stop'],
    ['approve'],
    ['cancel'],
    ['/ok'],
    ['42'],
    ['1'],
    ['?'],
    ['thanks, and book the hotel'],
    ['ok do it'],
    ['great, send it'],
    ['👍 book it'],
    ['hello'],
    ['help'],
    [`ok${' '.repeat(NOISE_MOST)}`],
  ])('%j', (text) => {
    expect(noiseOf(text, { pending: false })).toBeNull()
  })
})
