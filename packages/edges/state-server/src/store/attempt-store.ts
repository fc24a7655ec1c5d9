/** Attempts in the period that runs. */
interface Attempts {
  readonly count: number;
  /** Seconds until the period ends, and counting begins again. At least 1. */
  readonly seconds: number;
}

/** Counts of attempts to sign in, for all processes of a service, by keys. A period ends by the clock of the store. */
export interface AttemptStore {
  /** Counts an attempt, which is the first of a period of some seconds if none runs. */
  countAttempt(key: string, period: number): Promise<Attempts>;
  /** Takes attempts of the period that runs off the count. */
  forgiveAttempts(key: string, count: number): Promise<void>;
}
