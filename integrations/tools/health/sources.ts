/**
 * Sources of health data, one line each: exports, and services whose package stores what it fetched. If two measured equally many
 * days, the first one is used. Data only. Called by shape.ts, the packages of services and home's store.
 */
export const HEALTH_SOURCES = Object.freeze([
  'apple', //
  'oura',
  'homeassistant',
] as const)
export type HealthSource = (typeof HEALTH_SOURCES)[number]
