/**
 * Where days of health data come from, a line each: exports, and services whose package keeps what it fetched. Of two that measured the same days equally
 * often, the first counts. Data only. Called by shape.ts, the packages of services and home's store.
 */
export const HEALTH_SOURCES = Object.freeze([
  'apple', //
  'oura',
  'homeassistant',
] as const)
export type HealthSource = (typeof HEALTH_SOURCES)[number]
