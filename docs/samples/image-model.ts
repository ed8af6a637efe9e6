import { openaiImages, type GeneratedImage } from "vitrine";

export function drawLogo(baseURL: string, apiKey: string): Promise<GeneratedImage> {
  const images = openaiImages({ baseURL, apiKey, model: "gpt-image-1" });
  return images.generate({ prompt: "A blue kite on white", width: 1024, height: 1024, format: "png" });
  // { bytes: …, mime: "image/png", notices: [], usage: null }
}
