/** To end a sentence, without its full stop. */
export const PICTURES_REFUSED =
  "the Content Security Policy of this site refuses pictures: its img-src has to allow data:";

/** A GIF of one pixel. */
const SMALLEST = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

let asked: Promise<boolean> | undefined;

/** Whether the page refuses pictures that are their own address, as all that code makes are. Tried once. */
export function refusesPictures(): Promise<boolean> {
  asked ??= new Promise((resolve) => {
    const picture = new Image();
    picture.addEventListener("load", () => {
      resolve(false);
    });
    picture.addEventListener("error", () => {
      resolve(true);
    });
    picture.src = SMALLEST;
  });
  return asked;
}
