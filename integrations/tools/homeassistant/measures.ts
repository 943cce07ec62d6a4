/** Closed lists for what an installation says: kinds of entities, units and states. What is in none of them stays a text of the outside. Data only. */

/** A computed key: `window` as a property name reads like the browser's global, which no tool may use. */
const WINDOW = 'window'

/** By device class, or by domain where an entity has none. */
export const KINDS = [
  ...['temperature', 'humidity', 'power', 'energy', 'battery', 'light', 'brightness', 'air', 'pressure'],
  ...['window', 'door', 'lock', 'cover', 'motion', 'presence', 'climate', 'switch', 'running', 'water'],
  ...['smoke', 'media', 'weather', 'other'],
] as const
export type Kind = (typeof KINDS)[number]

/** Device classes and domains, as the documentation of the integrations names them. */
export const KIND_OF: Readonly<Record<string, Kind>> = {
  ...{ temperature: 'temperature', humidity: 'humidity', moisture: 'water', water: 'water', power: 'power' },
  ...{ energy: 'energy', battery: 'battery', illuminance: 'brightness', light: 'light', [WINDOW]: WINDOW },
  ...{ carbon_dioxide: 'air', carbon_monoxide: 'air', pm25: 'air', pm10: 'air', aqi: 'air', gas: 'air' },
  ...{ volatile_organic_compounds: 'air', pressure: 'pressure', atmospheric_pressure: 'pressure' },
  ...{ door: 'door', garage_door: 'door', garage: 'door', opening: 'door', gate: 'door', lock: 'lock' },
  ...{ cover: 'cover', blind: 'cover', shutter: 'cover', curtain: 'cover', shade: 'cover', awning: 'cover' },
  ...{ motion: 'motion', moving: 'motion', occupancy: 'presence', presence: 'presence', person: 'presence' },
  ...{ device_tracker: 'presence', climate: 'climate', switch: 'switch', outlet: 'switch', fan: 'switch' },
  ...{ running: 'running', vacuum: 'running', smoke: 'smoke' },
  ...{ media_player: 'media', weather: 'weather', plug: 'switch', water_heater: 'climate' },
}

/** Words by which people name a kind, beside the names of things. */
export const KIND_WORDS: Readonly<Record<string, Kind>> = {
  ...{ temperature: 'temperature', temperatures: 'temperature', temperatur: 'temperature' },
  ...{ temperaturen: 'temperature', humidity: 'humidity', luftfeuchtigkeit: 'humidity', feuchte: 'humidity' },
  ...{ power: 'power', leistung: 'power', energy: 'energy', energie: 'energy', verbrauch: 'energy' },
  ...{ battery: 'battery', batteries: 'battery', batterie: 'battery', batterien: 'battery', akku: 'battery' },
  ...{ light: 'light', lights: 'light', licht: 'light', lichter: 'light', lampe: 'light', lamp: 'light' },
  ...{ [WINDOW]: WINDOW, windows: 'window', fenster: 'window', door: 'door', doors: 'door', tür: 'door' },
  ...{ türen: 'door', lock: 'lock', locks: 'lock', schloss: 'lock', blinds: 'cover', rollladen: 'cover' },
  ...{ shutters: 'cover', covers: 'cover', motion: 'motion', bewegung: 'motion', thermostat: 'climate' },
  ...{ thermostats: 'climate', thermostate: 'climate', heating: 'climate', heizung: 'climate' },
  ...{ switches: 'switch', schalter: 'switch', plugs: 'switch', weather: 'weather', wetter: 'weather' },
}

/** Others are told in a text. */
export const UNITS = [
  ...['°C', '°F', '°', 'K', '%', 'W', 'kW', 'Wh', 'kWh', 'MWh', 'V', 'mV', 'A', 'mA', 'Hz', 'VA', 'hPa'],
  ...['Pa', 'kPa', 'bar', 'mbar', 'psi', 'lx', 'lm', 'ppm', 'ppb', 'µg/m³', 'mg/m³', 'dB', 'dBm'],
  ...['km/h', 'm/s', 'mph', 'mm', 'cm', 'm', 'km', 'mi', 'mm/h', 'L', 'mL', 'm³'],
  ...['s', 'min', 'h', 'd', 'EUR/kWh', 'UV index', 'Mbit/s', 'MB', 'GB'],
] as const
export type Unit = (typeof UNITS)[number]

export const STATES = [
  ...['on', 'off', 'open', 'closed', 'opening', 'closing', 'locked', 'unlocked', 'locking', 'unlocking'],
  ...[
    'jammed',
    'home',
    'not_home',
    'heat',
    'cool',
    'heat_cool',
    'auto',
    'dry',
    'fan_only',
    'idle',
    'heating',
  ],
  ...[
    'cooling',
    'playing',
    'paused',
    'standby',
    'buffering',
    'running',
    'run',
    'stop',
    'stopped',
    'finished',
  ],
  ...['finish', 'complete', 'completed', 'done', 'ready', 'inactive', 'delayed_start', 'error', 'cleaning'],
  ...['docked', 'returning', 'charging', 'detected', 'clear', 'present', 'absent', 'low', 'normal', 'wet'],
  ...['moving', 'still', 'above_horizon', 'below_horizon', 'sunny', 'cloudy', 'partlycloudy', 'rainy'],
  ...['pouring', 'snowy', 'fog', 'windy', 'clear-night', 'unknown', 'unavailable'],
] as const
export type State = (typeof STATES)[number]

/** What `on` and `off` of a binary sensor mean, by its device class (https://www.home-assistant.io/integrations/binary_sensor/). */
export const MEANINGS: Readonly<Record<string, readonly [on: State, off: State]>> = {
  ...{ [WINDOW]: ['open', 'closed'], door: ['open', 'closed'], garage_door: ['open', 'closed'] },
  ...{ opening: ['open', 'closed'], lock: ['unlocked', 'locked'], battery: ['low', 'normal'] },
  ...{ motion: ['detected', 'clear'], occupancy: ['present', 'absent'], presence: ['home', 'not_home'] },
  ...{ smoke: ['detected', 'clear'], gas: ['detected', 'clear'], carbon_monoxide: ['detected', 'clear'] },
  ...{ moisture: ['wet', 'dry'], running: ['running', 'stopped'], moving: ['moving', 'still'] },
}

/** States in which a thing is at rest: time in any other is what "was it on?" asks about. */
export const RESTING: ReadonlySet<State> = new Set([
  ...(['off', 'closed', 'locked', 'not_home', 'idle', 'stop', 'stopped', 'finished', 'finish'] as const),
  ...(['complete', 'completed', 'done', 'ready', 'inactive', 'standby', 'docked', 'clear'] as const),
  ...(['absent', 'normal', 'dry', 'still', 'unknown', 'unavailable'] as const),
])
