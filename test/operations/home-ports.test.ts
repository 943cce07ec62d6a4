/** Ports that the edge's bundle leaves out: no operation that the edge carries out asks for one, and each is asked for at home. */
import { expect, test } from 'vitest'
import { HOME_PORTS } from '../../kernel/operations/home-ports.ts'
import * as none from '../../kernel/operations/home-ports-none.ts'
import { OPERATIONS } from '../../kernel/operations/index.ts'

const asked = (where: (place: string) => boolean): readonly string[] =>
  OPERATIONS.filter(({ place }) => where(place)).flatMap(({ ports }) => [...ports])

test('no operation of the edge asks for a port of home alone', () => {
  const there = asked((place) => place !== 'home')
  expect(HOME_PORTS.filter((port) => there.includes(port))).toEqual([])
})

test('each is asked for at home, and the edge has none', () => {
  expect(HOME_PORTS.filter((port) => !asked((place) => place === 'home').includes(port))).toEqual([])
  expect(Object.keys(none.homePorts(null))).toEqual([])
})
