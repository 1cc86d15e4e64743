/** The board as a picture that needs no style sheet and no script. */

const properties = [
    "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity", "paint-order",
    "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline",
]; // prettier-ignore
/** What an element has if nothing is said of it. */
const usual: Record<string, string> = {
    fill: "rgb(0, 0, 0)", stroke: "none", "stroke-dasharray": "none", "stroke-linejoin": "miter", "stroke-linecap": "butt",
    opacity: "1", "paint-order": "normal",
}; // prettier-ignore

/**
 * A copy of a drawn board, in the light colours, with what its style sheet says written into it. It has to be
 * in the document: only there do the style sheets hold.
 */
export function svgOf(board: SVGSVGElement): string {
    const frame = document.createElement("div");
    frame.className = "hidden";
    frame.dataset["scheme"] = "light";
    // The style sheet of a board looks at the element around it, too.
    const around = board.parentElement!.cloneNode() as HTMLElement;
    const copy = board.cloneNode(true) as SVGSVGElement;
    around.append(copy);
    frame.append(around);
    document.body.append(frame);
    try {
        for (const element of copy.querySelectorAll<SVGElement>("polygon, polyline, path, circle, rect, text")) {
            const style = getComputedStyle(element);
            for (const name of properties) {
                const value = style.getPropertyValue(name);
                if (/^(font|text|dominant)/.test(name) && element.tagName !== "text") continue;
                if (value !== "" && value !== usual[name]) element.setAttribute(name, value);
            }
        }
    } finally {
        frame.remove();
    }
    for (const element of [copy, ...copy.querySelectorAll("*")]) {
        for (const { name } of [...element.attributes]) {
            if (name === "class" || name === "role" || name === "tabindex" || /^(aria|data)-/.test(name)) element.removeAttribute(name);
        }
    }
    const { width, height } = board.viewBox.baseVal;
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", String(width));
    copy.setAttribute("height", String(height));
    const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    ground.setAttribute("width", String(width));
    ground.setAttribute("height", String(height));
    ground.setAttribute("fill", "#fff");
    copy.prepend(ground);
    return new XMLSerializer().serializeToString(copy).replace(/<!--.*?-->/gs, "");
}
