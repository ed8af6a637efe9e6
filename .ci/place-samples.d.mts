export interface PlacedSamples {
  readonly text: string;
  readonly shown: readonly string[];
  readonly problems: readonly string[];
}
export declare function placeSamples(text: string, samples: ReadonlyMap<string, string>): PlacedSamples;
