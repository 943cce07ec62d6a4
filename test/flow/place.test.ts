/** Placement: the edge is cleared for internal, home for all but secret; a task runs where everything fits (DESIGN §1). */
import { describe, expect, it } from 'vitest'
import { type Label, PUBLIC } from '../../kernel/flow/label.ts'
import type { Level } from '../../kernel/flow/level.ts'
import { checkPlace, PLACE_CLEARANCE, type Place, placeFor } from '../../kernel/flow/place.ts'
import { label, why } from './fixtures.ts'

describe('checkPlace', () => {
  it.each<[string, string, string]>([
    ['public', 'clearance', 'clearance'],
    ['internal', 'clearance', 'clearance'],
    ['sensitive', 'place_not_cleared', 'clearance'],
    ['regulated', 'place_not_cleared', 'clearance'],
    ['internal:health', 'compartment_missing', 'clearance'],
    ['regulated:health', 'compartment_missing', 'clearance'],
    ['secret', 'secret_has_no_reader', 'secret_has_no_reader'],
  ])('%s: edge %s, home %s', (guard, edge, home) => {
    expect(why(checkPlace('edge', label(guard)))).toBe(edge)
    expect(why(checkPlace('home', label(guard)))).toBe(home)
  })

  it('denies a label or a place it cannot read', () => {
    expect(why(checkPlace('edge', {} as Label))).toBe('policy_failed')
    expect(why(checkPlace('cellar' as Place, label('public')))).toBe('policy_failed')
  })

  it('cannot be given another clearance at run time', () => {
    expect(Object.isFrozen(PLACE_CLEARANCE)).toBe(true)
    expect(Object.values(PLACE_CLEARANCE).every(Object.isFrozen)).toBe(true)
    expect(Object.isFrozen(PLACE_CLEARANCE.edge.compartments)).toBe(true)
    expect(PLACE_CLEARANCE.edge).toEqual({ level: 'internal', compartments: [] })
  })
})

describe('placeFor', () => {
  it.each<[Level, Place, string, Place]>([
    ['public', 'edge', 'public', 'edge'],
    ['internal', 'edge', 'internal', 'edge'],
    ['sensitive', 'edge', 'internal', 'home'],
    ['regulated', 'edge', 'public', 'home'],
    ['secret', 'edge', 'public', 'home'],
    ['internal', 'home', 'internal', 'home'],
    ['internal', 'edge', 'sensitive', 'home'],
    ['internal', 'edge', 'internal:health', 'home'],
    ['internal', 'edge', 'secret', 'home'],
    ['public', 'home', 'public', 'home'],
  ])('ceiling %s, channel at %s, words %s: %s', (ceiling, channel, words, place) => {
    expect(placeFor({ ceiling, channel, label: label(words) })).toBe(place)
  })

  it('sends home whatever the edge cannot read', () => {
    expect(placeFor({ ceiling: 'internal', channel: 'edge', label: {} as Label })).toBe('home')
    expect(placeFor({ ceiling: 'internal', channel: 'edge', label: PUBLIC })).toBe('edge')
  })
})
